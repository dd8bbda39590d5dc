import ProviderModel
import Testing

@testable import HTTPTransport

struct GrantedHostsTests {
    private func scope(hosts: [String], granted: [String]?) throws -> RequestScope {
        var scope = RequestScope(
            provider: try #require(ProviderID("boards")), hosts: hosts.compactMap { HostPattern($0) })
        scope.granted = granted.map { $0.compactMap { HostPattern($0) } }
        return scope
    }

    @Test func requestHasToBeDeclaredAndGranted() throws {
        let scope = try scope(hosts: ["a.example", "b.example"], granted: ["a.example", "c.example"])
        #expect(scope.admits(try WebURL("https://a.example/x")))
        #expect(!scope.admits(try WebURL("https://b.example/x")))
        #expect(!scope.admits(try WebURL("https://c.example/x")))
        let error = #expect(throws: TransportError.self) { try scope.check(try WebURL("https://b.example/x")) }
        #expect(error?.message.contains("is not a host that was granted to \"boards\"") == true)
        #expect(try self.scope(hosts: ["b.example"], granted: nil).admits(try WebURL("https://b.example/x")))
    }

    @Test func redirectIsHeldToTheGrantToo() throws {
        let first = TransportRequest(
            url: try WebURL("https://a.example/x"), scope: try scope(hosts: ["*"], granted: ["a.example"]))
        let answer = TransportResponse(
            status: 302, url: first.url, headers: [.location: "https://evil.example/"], body: [], version: "2")
        #expect(throws: TransportError.self) { try Redirect(from: first, answer: answer, first: first) }
    }
}
