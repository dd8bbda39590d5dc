import ProviderRuntime
import Testing

@testable import Packs

struct TrustReviewTests {
    private static func pack(
        _ version: String = "1.0.0", key: String? = nil, digest: String = "a", hosts: [String] = ["a.example"],
        credentials: [String] = []
    ) -> LockedPack {
        LockedPack(
            version: version, source: "registry:boards@latest", integrity: digest, contract: 1, key: key,
            providers: [
                "boards": ProviderGrant(
                    file: "boards.js", hosts: hosts, mediaHosts: ["img.example"], credentials: credentials)
            ])
    }

    private func objections(_ former: LockedPack?, _ next: LockedPack, isFolder: Bool = false) -> [Acceptance] {
        TrustReview(former: former, next: next, name: "boards", isFolder: isFolder).objections.map(\.acceptance)
    }

    @Test func firstInstallationIsTakenOnTrust() {
        #expect(objections(nil, Self.pack(hosts: ["*"])) == [])
    }

    @Test(arguments: [
        (pack(key: "A"), pack("1.1.0", key: "B", digest: "b"), [Acceptance.key]),
        (pack(key: "A"), pack("1.1.0", digest: "b"), [.unsigned]),
        (pack(), pack("1.1.0", key: "A", digest: "b"), []),
        (pack("1.10.0"), pack("1.9.0", digest: "b"), [.downgrade]),
        (pack("1.0.0"), pack("1.0.0-beta", digest: "b"), [.downgrade]),
        (pack(), pack(digest: "b"), [.content]),
        (pack(), pack("1.1.0", digest: "b", hosts: ["a.example", "b.example"]), [.hosts]),
        (pack(), pack("1.1.0", digest: "b", hosts: ["*.example"]), [.hosts]),
        (pack(), pack("1.1.0", digest: "b", credentials: ["query"]), [.hosts]),
        (pack(hosts: ["a.example", "b.example"]), pack("1.1.0", digest: "b"), []),
        (pack(key: "A"), pack("0.9.0", digest: "b", hosts: ["b.example"]), [.unsigned, .downgrade, .hosts]),
    ])
    func whatAnUpdateChangesForTheWorseIsObjectedTo(former: LockedPack, next: LockedPack, expected: [Acceptance]) {
        #expect(objections(former, next) == expected)
    }

    @Test func ownersFolderMayChangeWithoutANewVersion() {
        #expect(objections(Self.pack(), Self.pack(digest: "b"), isFolder: true) == [])
    }

    @Test func newProviderOfAPackAsksForAllItHas() {
        var next = Self.pack("1.1.0", digest: "b")
        next.providers["more"] = ProviderGrant(file: "more.js", hosts: ["a.example"], mediaHosts: [], credentials: [])
        #expect(PermissionDifference(from: Self.pack(), to: next).added == ["requests to a.example (more)"])
    }

    @Test func changelogIsCutToTheVersionsBetween() throws {
        let text = "# Changes\n\n## [1.2.0] - 2026\n\n- c\n\n## v1.1.0\n- b\n### More\n- b2\n\n## 1.0.0\n- a\n"
        let (one, two) = (try #require(SemanticVersion("1.0.0")), try #require(SemanticVersion("1.1.0")))
        #expect(Changelog(text).lines(after: one, through: two) == ["## v1.1.0", "- b", "### More", "- b2"])
        #expect(Changelog("nothing here").lines(after: one, through: two).isEmpty)
    }
}
