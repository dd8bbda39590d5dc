import ProviderModel
import Testing

@testable import Downloads

@Suite struct KeptCreditTests {
    private func kept(_ request: DownloadRequest) throws -> (kept: [UInt8], credit: [UInt8]) {
        let planned = try DownloadPlanner().plan(request)
        var fields = KeptFields()
        fields.add(KeptCredit(planned.wanted, from: planned.media))
        return (fields.bytes, Credit(planned, from: planned.media).kept.bytes)
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/a/b.jpg", "https://images.example.com/a.jpg?w=100&secret=1#part", "https://example.com",
        "https://[2001:db8::1]/a%20b.jpg",
    ])
    func whatIsKeptOfABareURLIsItsCredit(_ url: String) throws {
        let (kept, credit) = try kept(DownloadRequest(.file(try WebURL(url)), from: .bareURLs, index: 1))
        #expect(kept == credit)
    }

    @Test func whatIsKeptOfAnItemIsItsCredit() throws {
        let (kept, credit) = try kept(ItemSource("https://a.example").requests(["1"])[0])
        #expect(kept == credit)
    }
}
