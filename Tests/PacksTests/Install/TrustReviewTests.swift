import ProviderModel
import ProviderRuntime
import Testing

@testable import Packs

struct TrustReviewTests {
    private static func pack(
        _ version: String = "1.0.0", key: String? = nil, digest: String = "a", hosts: [String] = ["a.example"],
        credentials: [CredentialKind] = []
    ) -> LockedPack {
        LockedPack(
            version: version, source: "registry:boards@latest", integrity: digest, contract: 1, key: key,
            providers: [
                "boards": LockedProvider(
                    file: "boards.js",
                    permissions: ProviderPermissions(
                        hosts: hosts.compactMap { HostPattern($0) }, mediaHosts: [HostPattern("img.example")!],
                        credentials: credentials))
            ])
    }

    private func objections(
        _ former: LockedPack?, _ next: LockedPack, statedKey: PublicKey? = nil, isFolder: Bool = false
    ) -> [Acceptance] {
        TrustReview(former: former, next: next, name: "boards", statedKey: statedKey, isFolder: isFolder)
            .objections.map(\.acceptance)
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
        (pack(), pack("1.1.0", digest: "b", hosts: ["a.example", "b.example"]), [.permissions]),
        (pack(), pack("1.1.0", digest: "b", hosts: ["*.example"]), [.permissions]),
        (pack(), pack("1.1.0", digest: "b", credentials: [.query]), [.permissions]),
        (pack(hosts: ["a.example", "b.example"]), pack("1.1.0", digest: "b"), []),
        (pack(key: "A"), pack("0.9.0", digest: "b", hosts: ["b.example"]), [.unsigned, .downgrade, .permissions]),
    ])
    func whatAnUpdateChangesForTheWorseIsObjectedTo(former: LockedPack, next: LockedPack, expected: [Acceptance]) {
        #expect(objections(former, next) == expected)
    }

    @Test func ownersFolderMayChangeWithoutANewVersion() {
        #expect(objections(Self.pack(), Self.pack(digest: "b"), isFolder: true) == [])
    }

    @Test func packThatNamesAKeyHasToBeSigned() throws {
        let key = try SecretKey.generate().publicKey
        let signed = Self.pack(key: key.description)
        #expect(objections(nil, Self.pack(), statedKey: key) == [.unsigned])
        #expect(objections(Self.pack(), Self.pack("1.1.0", digest: "b"), statedKey: key) == [.unsigned])
        #expect(objections(signed, Self.pack("1.1.0", digest: "b"), statedKey: key) == [.unsigned], "once, not twice")
        #expect(objections(nil, signed, statedKey: key) == [])
        #expect(objections(nil, Self.pack(), statedKey: key, isFolder: true) == [], "a folder has no signature")
    }

    @Test func newProviderOfAPackAsksForAllItHas() throws {
        var next = Self.pack("1.1.0", digest: "b")
        next.providers["more"] = LockedProvider(
            file: "more.js", permissions: ProviderPermissions(hosts: [try #require(HostPattern("a.example"))]))
        #expect(next.permissions(beyond: Self.pack()) == ["requests to a.example (more)"])
        #expect(Self.pack().permissions(beyond: next) == [])
    }

    @Test func changelogIsCutToTheVersionsBetween() throws {
        let text = "# Changes\n\n## [1.2.0] - 2026\n\n- c\n\n## v1.1.0\n- b\n### More\n- b2\n\n## 1.0.0\n- a\n"
        let (one, two) = (try #require(SemanticVersion("1.0.0")), try #require(SemanticVersion("1.1.0")))
        #expect(Changelog(text).lines(after: one, through: two) == ["## v1.1.0", "- b", "### More", "- b2"])
        #expect(Changelog("nothing here").lines(after: one, through: two).isEmpty)
    }

    @Test(arguments: [
        ("https://a.example/", "https://b.example/", [Acceptance.permissions]),
        ("https://a.example/", "https://a.example/", []),
    ])
    func anotherRegistryIsAChangeOfPermissions(_ before: String, _ after: String, _ expected: [Acceptance]) {
        var (former, next) = (Self.pack(), Self.pack("1.1.0", digest: "b"))
        (former.registry, next.registry) = (before, after)
        #expect(objections(former, next) == expected)
    }
}
