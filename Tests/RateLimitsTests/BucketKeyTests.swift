import HTTPTransport
import ProviderModel
import Testing

@testable import RateLimits

@Suite struct BucketKeyTests {
    private let provider = ProviderID("tested")!

    private func key(_ secrets: [String: String], session: [String: String] = [:]) -> BucketKey {
        let way = AuthenticationMethod(placement: .query([NamedValue("key", "{key}")]))
        let credentials = Credentials(
            provider: provider, methods: [way], secrets: secrets, session: SessionValues(session))
        return BucketKey(.of(credentials: credentials))
    }

    @Test func keyIsTheProvidersNameAndADigest() {
        #expect(BucketKey(.of()).text == "tested")
        let text = key(["key": "correct horse"]).text
        #expect(text.hasPrefix("tested "))
        #expect(text.count == "tested ".count + 8)
        #expect(text == key(["key": "correct horse"]).text)
    }

    @Test func everyKeyHasItsOwnBucket() {
        #expect(key(["key": "one"]) != key(["key": "two"]))
    }

    @Test func newSessionIsNoNewBucket() {
        #expect(key(["key": "one"], session: ["token": "a"]) == key(["key": "one"], session: ["token": "b"]))
    }

    @Test func serversOfOneProviderHaveTheirOwnBuckets() {
        let keys = [nil, "https://one.example", "https://two.example"].map { BucketKey(.of(instance: $0)) }
        #expect(Set(keys).count == 3)
    }
}
