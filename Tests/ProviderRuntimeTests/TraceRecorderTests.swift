import ProviderModel
import Testing
import WorkerProtocol

@testable import ProviderRuntime

struct OperationResultSummaryTests {
    @Test(arguments: [
        (Paging.page, 2, 50 as Int?, "2 items of 50, then page 3"), (.offset, 1, nil, "1 item, then page 3"),
        (.page, 2, 4, "2 items of 4, the end"), (.page0, 0, nil, "0 items, the end"),
        (.none, 2, 50, "2 items of 50, the end"), (.cursor, 2, nil, "2 items, the end"),
    ])
    func nextPageIsReportedWhereThereIsOne(_ paging: Paging, _ count: Int, _ total: Int?, _ expected: String) throws {
        let provider = try #require(ProviderID("example"))
        let page = Page(items: (0..<count).map { Item(provider: provider, id: "\($0)") }, total: total)
        var query = ProviderQuery()
        (query.page, query.offset, query.limit) = (2, 2, 2)
        #expect(OperationResult.page(page).summary(of: .search(query), paging: paging).description == expected)
    }
}
