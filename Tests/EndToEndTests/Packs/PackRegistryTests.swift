import Crypto
import Foundation
import Packs
import TestSupport
import Testing

/// Packs by name from a registry.
struct PackRegistryTests {
    /// A registry with two versions of a pack.
    private func makeRegistry(_ shop: PackWorkshop, _ behaviour: LoopbackRegistry.Behaviour = .init()) throws
        -> LoopbackRegistry
    {
        let registry = try LoopbackRegistry(behaviour)
        for version in ["1.0.0", "1.2.0"] {
            let bytes = FolderListing.bytes(of: try shop.makeArchive(version: version))
            try registry.publish(
                "@anna/boards", version, tarball: bytes, integrity: PackIntegrity(of: bytes).description)
        }
        return registry
    }

    private func install(
        _ shop: PackWorkshop, _ registry: LoopbackRegistry, _ pack: String = "@anna/boards", _ more: String...
    ) throws -> CommandRun {
        try CommandRun(
            ["pack", "install", "-y", pack, "--registry", registry.origin, "--allow-host", registry.authority] + more,
            in: shop.bench, environment: ["HOME": shop.home])
    }

    @Test(arguments: [("@anna/boards", "1.2.0"), ("@anna/boards@~1.0", "1.0.0"), ("@anna/boards@latest", "1.2.0")])
    func rangesAndTagsChooseAVersion(pack: String, version: String) throws {
        let shop = try PackWorkshop()
        let registry = try makeRegistry(shop)
        let run = try install(shop, registry, pack)
        #expect(run.status == 0, "\(run.errors)")
        #expect(shop.lock.contains("\"version\": \"\(version)\""))
        #expect(shop.lock.contains("\"resolved\": \"\(registry.origin)/@anna/boards/-/boards-\(version).tgz\""))
        #expect(registry.requests.contains { $0.target == "/@anna%2fboards" })
    }

    @Test func privateRegistryNeedsToBeAllowed() throws {
        let shop = try PackWorkshop()
        let registry = try LoopbackRegistry()
        let run = try shop.run("pack", "install", "-y", "@anna/boards", "--registry", registry.origin)
        #expect(run.status == 1)
        #expect(run.errors.contains("--allow-host"), "\(run.errors)")
        #expect(registry.requests.isEmpty)
    }

    @Test func otherBytesThanPromisedAreRefused() throws {
        let shop = try PackWorkshop()
        let registry = try makeRegistry(shop)
        let other = FolderListing.bytes(of: try shop.makeArchive(version: "1.2.0", hosts: ["evil.example"]))
        registry.replaceTarball("@anna/boards/-/boards-1.2.0.tgz", with: other)
        let run = try install(shop, registry)
        #expect(run.status == 1)
        #expect(run.errors.contains("(expected sha512-"), "\(run.errors)")
        #expect(shop.lock.isEmpty)
    }

    @Test func packOfAnotherNameOrVersionIsRefused() throws {
        let shop = try PackWorkshop()
        let registry = try LoopbackRegistry()
        let bytes = FolderListing.bytes(of: try shop.makeArchive("@eve/boards"))
        try registry.publish("@anna/boards", "1.0.0", tarball: bytes, integrity: PackIntegrity(of: bytes).description)
        let run = try install(shop, registry)
        #expect(run.status == 1)
        #expect(run.errors.contains("@eve/boards") && run.errors.contains("@anna/boards"), "\(run.errors)")
    }

    @Test func oldDigestIsTakenWithAWordAndNoneIsRefused() throws {
        let shop = try PackWorkshop()
        let registry = try LoopbackRegistry()
        let bytes = FolderListing.bytes(of: try shop.makeArchive())
        let digest = Insecure.SHA1.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        try registry.publish("@anna/boards", "1.0.0", tarball: bytes, integrity: nil, shasum: digest)
        let run = try install(shop, registry)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("only a SHA-1"))
        #expect(shop.lock.contains(PackIntegrity(of: bytes).description))
        try registry.publish("@anna/boards", "1.0.1", tarball: bytes, integrity: nil)
        #expect(try install(shop, registry).errors.contains("the registry has no digest of it"))
    }

    @Test func tokenGoesToItsRegistryAloneAndIsNeverShown() throws {
        let shop = try PackWorkshop()
        let elsewhere = try LoopbackServer { _ in .answer(404) }
        var behaviour = LoopbackRegistry.Behaviour()
        behaviour.authorization = "Bearer s3cr3t"
        let registry = try makeRegistry(shop, behaviour)
        try """
        @anna:registry=\(registry.origin)/
        //\(registry.authority)/:_authToken=${BOARDS_TOKEN}
        """.write(toFile: shop.home + "/.npmrc", atomically: true, encoding: .utf8)
        let hosts = ["--allow-host", "127.0.0.1", "-v"]
        let environment = ["HOME": shop.home, "BOARDS_TOKEN": "s3cr3t"]
        let run = try CommandRun(
            ["pack", "install", "-y", "@anna/boards@1.0.0"] + hosts, in: shop.bench, environment: environment)
        #expect(run.status == 0, "\(run.errors)")
        let place = elsewhere.origin
        registry.change {
            $0.changeDistribution = { name, _, dist in dist.merging(["tarball": "\(place)/x.tgz"]) { $1 } }
        }
        let moved = try CommandRun(
            ["pack", "install", "-y", "@anna/boards@1.2.0"] + hosts, in: shop.bench, environment: environment)
        #expect(moved.status == 1)
        #expect(elsewhere.requests.count == 1)
        #expect(elsewhere.requests.allSatisfy { $0.header("authorization") == nil })
        #expect(!(run.output + run.errors + moved.output + moved.errors + shop.lock).contains("s3cr3t"))
        let without = try CommandRun(
            ["pack", "install", "-y", "@anna/boards"] + hosts, in: shop.bench, environment: ["HOME": shop.home])
        #expect(without.errors.contains("${BOARDS_TOKEN}, which is not set"), "\(without.errors)")
        #expect(without.errors.contains("a key is required"))
    }

    @Test func registrySignaturesAreChecked() throws {
        let shop = try PackWorkshop()
        let key = P256.Signing.PrivateKey()
        let keyText = key.publicKey.derRepresentation.base64EncodedString()
        var behaviour = LoopbackRegistry.Behaviour()
        behaviour.keys = """
            {"keys": [{"expires": null, "keyid": "SHA256:one", "keytype": "ecdsa-sha2-nistp256",
            "scheme": "ecdsa-sha2-nistp256", "key": "\(keyText)"}]}
            """
        behaviour.sign = { message in
            (try? key.signature(for: Data(message.utf8))).map {
                ("SHA256:one", $0.derRepresentation.base64EncodedString())
            }
        }
        let registry = try makeRegistry(shop, behaviour)
        let run = try install(shop, registry)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("signed with its key SHA256:one"))
        registry.change { $0.sign = { _ in ("SHA256:one", Data("x".utf8).base64EncodedString()) } }
        #expect(try install(shop, registry).errors.contains("does not match its content"))
        registry.change { $0.sign = { _ in ("SHA256:two", "AAAA") } }
        #expect(try install(shop, registry).errors.contains("sent a signature of the unknown key"))
        registry.change { $0.sign = { _ in nil } }
        #expect(try install(shop, registry).errors.contains("sent no signature for"))
        registry.change { $0.changeDistribution = { $2.filter { $0.key != "integrity" } } }
        #expect(
            try install(shop, registry).errors.contains("signs its packages, but sent no digest of"), "no way around it"
        )
    }

    @Test(arguments: [("2024-12-31T00:00:00.000Z", 0), ("2025-06-01T00:00:00.000Z", 1)])
    func expiredKeyIsGoodForWhatWasPublishedBefore(published: String, status: Int32) throws {
        let shop = try PackWorkshop()
        let key = P256.Signing.PrivateKey()
        var behaviour = LoopbackRegistry.Behaviour()
        behaviour.keys = """
            {"keys": [{"expires": "2025-01-29T00:00:00.000Z", "keyid": "SHA256:old", "keytype": "ecdsa-sha2-nistp256",
            "key": "\(key.publicKey.derRepresentation.base64EncodedString())"}]}
            """
        behaviour.times = ["1.2.0": published]
        behaviour.sign = { message in
            let signature = try? key.signature(for: Data(message.utf8))
            return signature.map { ("SHA256:old", $0.derRepresentation.base64EncodedString()) }
        }
        let run = try install(shop, try makeRegistry(shop, behaviour))
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains("expired on 2025-01-29") == (status == 1))
    }

    @Test func deprecatedVersionIsSaidToBeAndSearchFindsPacks() throws {
        let shop = try PackWorkshop()
        var behaviour = LoopbackRegistry.Behaviour()
        behaviour.deprecated = ["1.0.0": "use 1.2"]
        let registry = try makeRegistry(shop, behaviour)
        let run = try install(shop, registry, "@anna/boards@1.0.0")
        #expect(run.errors.contains("is deprecated: \"use 1.2\""), "\(run.errors)")
        let outdated = try shop.run("pack", "outdated", "--allow-host", registry.authority)
        #expect(outdated.output.contains("deprecated: use 1.2"), "\(outdated.output)\(outdated.errors)")
        let search = try shop.run(
            "pack", "search", "boards", "--registry", registry.origin, "--allow-host", registry.authority)
        #expect(search.output.contains("@anna/boards"))
        #expect(
            registry.requests.contains { $0.target.contains("text=keywords%3Aimgscript%20boards") },
            "\(registry.requests.map(\.target))")
    }

    @Test(arguments: [
        ("@anna/boards@^9", "no version matches ^9"), ("@anna/nothing", "has no pack @anna/nothing"),
        ("@anna/boards@nightly", "is not a version range or a tag"),
    ])
    func whatIsNotThereIsSaidInOneSentence(pack: String, sentence: String) throws {
        let shop = try PackWorkshop()
        let run = try install(shop, try makeRegistry(shop), pack)
        #expect(run.status != 0)
        #expect(run.errors.contains(sentence), "\(run.errors)")
    }

    @Test func packThatNamesAKeyIsRefusedWhereTheRegistryHasNoSignature() throws {
        let shop = try PackWorkshop()
        let registry = try LoopbackRegistry()
        let key = try shop.makeKey()
        let bytes = FolderListing.bytes(of: try shop.makeArchive(key: key))
        try registry.publish("@anna/boards", "1.0.0", tarball: bytes, integrity: PackIntegrity(of: bytes).description)
        let run = try install(shop, registry)
        #expect(run.status == 1)
        #expect(run.errors.contains("1.0.0 is not signed, but its package.json names the key"), "\(run.errors)")
        #expect(shop.lock.isEmpty)
        #expect(registry.requests.contains { $0.target.hasSuffix(".tgz.minisig") })
        #expect(try install(shop, registry, "@anna/boards", "--accept", "unsigned").status == 0)
    }

    @Test func archiveByAddressComesWithItsSignature() throws {
        let shop = try PackWorkshop()
        let key = try shop.makeKey()
        let archive = try shop.makeArchive(key: key)
        #expect(try shop.run("pack", "sign", archive, "--secret-key", "anna.key").status == 0)
        let (bytes, signature) = (FolderListing.bytes(of: archive), FolderListing.bytes(of: archive + ".minisig"))
        let server = try LoopbackServer {
            $0.path.hasSuffix(".minisig") ? .answer(body: signature) : .answer(body: bytes)
        }
        let run = try shop.run(
            "pack", "install", "-y", "\(server.origin)/boards.tgz", "--allow-host", "127.0.0.1:\(server.port)")
        #expect(run.status == 0, "\(run.errors)")
        #expect(shop.lock.contains(key))
    }

    @Test func packKeepsToItsRegistryAndAnotherIsRefused() throws {
        let shop = try PackWorkshop()
        let registry = try LoopbackRegistry()
        func publish(_ version: String, in registry: LoopbackRegistry) throws {
            let bytes = FolderListing.bytes(of: try shop.makeArchive(version: version))
            try registry.publish(
                "@anna/boards", version, tarball: bytes, integrity: PackIntegrity(of: bytes).description)
        }
        try publish("1.0.0", in: registry)
        let other = try LoopbackRegistry()
        try publish("9.0.0", in: other)
        #expect(try install(shop, registry).status == 0)
        #expect(shop.lock.contains("\"registry\": \"\(registry.origin)/\""), "\(shop.lock)")
        FolderListing.write("registry=\(other.origin)/\n", to: shop.home + "/.npmrc")
        let hosts = ["--allow-host", "127.0.0.1", "--allow-host", registry.authority, "--allow-host", other.authority]
        func run(_ arguments: String...) throws -> CommandRun {
            try CommandRun(arguments + hosts, in: shop.bench, environment: ["HOME": shop.home])
        }
        #expect(try run("pack", "update", "--yes").errors.contains("1.0.0 is already installed"))
        #expect(other.requests.isEmpty)
        try publish("1.1.0", in: registry)
        #expect(try run("pack", "outdated").output.contains("1.1.0"))
        #expect(try run("pack", "update", "--yes").status == 0 && other.requests.isEmpty)
        #expect(shop.lock.contains("\"version\": \"1.1.0\""))
        for command in [
            ["pack", "update", "--yes", "--registry", other.origin], ["pack", "install", "-y", "@anna/boards"],
        ] {
            let moved = try CommandRun(command + hosts, in: shop.bench, environment: ["HOME": shop.home])
            #expect(moved.status == 1, "\(moved.errors)")
            #expect(
                moved.errors.contains(
                    "9.0.0 comes from \(other.origin)/, and 1.1.0 came from \(registry.origin)/"), "\(moved.errors)")
            #expect(moved.errors.contains("--accept permissions allows it"))
        }
        #expect(try run("pack", "install", "-y", "@anna/boards", "--accept", "permissions").status == 0)
        #expect(shop.lock.contains("\"version\": \"9.0.0\""))
    }
}
