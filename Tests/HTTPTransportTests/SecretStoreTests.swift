import Glibc
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct SecretStoreTests {
    private let temporary = TemporaryFolder()
    private let pixabay = SecretOwner(ProviderID("pixabay")!)

    private func store(_ environment: [String: String] = [:]) -> SecretStore {
        SecretStore(folder: temporary.path + "/config/imgscript", environment: environment)
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func secretIsKeptForItsOwnerOnly() throws {
        try store().set("key", of: pixabay, to: "value")
        #expect(try store().secrets(named: ["key"], of: pixabay) == ["key": "value"])
        #expect(mode(store().path) == 0o600)
        #expect(mode(temporary.path + "/config/imgscript") == 0o700)
    }

    @Test(arguments: [mode_t(0o644), 0o640, 0o604, 0o660])
    func fileOthersCanReadIsRefused(mode: mode_t) throws {
        try store().set("key", of: pixabay, to: "value")
        chmod(store().path, mode)
        let error = #expect(throws: TransportError.self) { try store().secrets(named: ["key"], of: pixabay) }
        #expect(error?.code == .secrets)
        #expect(error?.hint?.description.contains("chmod 600 \(store().path)") == true)
    }

    @Test func environmentComesFirst() throws {
        try store().set("client_id", of: SecretOwner(ProviderID("art-institute")!), to: "file")
        let environment = ["IMGSCRIPT_ART_INSTITUTE_CLIENT_ID": "variable"]
        let secrets = try store(environment).secrets(
            named: ["client_id", "key"], of: SecretOwner(ProviderID("art-institute")!))
        #expect(secrets == ["client_id": "variable"])
    }

    @Test func fileIsNotReadWhenTheEnvironmentHasAll() throws {
        try store().set("key", of: pixabay, to: "value")
        chmod(store().path, 0o644)
        #expect(try store(["IMGSCRIPT_PIXABAY_KEY": "v"]).secrets(named: ["key"], of: pixabay) == ["key": "v"])
    }

    @Test func removedSecretIsGone() throws {
        try store().set("key", of: pixabay, to: "value")
        try store().set("user", of: pixabay, to: "name")
        #expect(try store().remove("key", of: pixabay))
        #expect(try !store().remove("key", of: pixabay))
        #expect(try store().list().map(\.name) == ["user"])
        #expect(try store().remove(of: pixabay))
        #expect(try store().list().isEmpty)
    }

    @Test func listNamesTheOrigin() throws {
        try store().set("key", of: pixabay, to: "value")
        let environment = ["IMGSCRIPT_PIXABAY_USER": "name"]
        let entries = try store(environment).list(environmentOf: [(pixabay, ["key", "user"])])
        #expect(entries.map(\.origin) == [.file, .environment("IMGSCRIPT_PIXABAY_USER")])
    }

    @Test func nothingStoredIsNoError() throws {
        #expect(try store().secrets(named: ["key"], of: pixabay).isEmpty)
    }

    @Test(arguments: ["a\nb", "", "a\0"])
    func valueThatIsNoLineIsRefused(value: String) {
        #expect(throws: TransportError.self) { try store().set("key", of: pixabay, to: value) }
    }

    @Test func brokenFileIsAnErrorThatNamesIt() throws {
        try store().set("key", of: pixabay, to: "value")
        let file = try #require(fopen(store().path, "w"))
        fputs("{", file)
        fclose(file)
        let error = #expect(throws: TransportError.self) { try store().list() }
        #expect(error?.message.contains(store().path) == true)
    }

    @Test(arguments: [
        (nil, "boards", "IMGSCRIPT_BOARDS_KEY"), ("https://usual.example/", "boards", "IMGSCRIPT_BOARDS_KEY"),
        ("https://other.example:8443/x", "boards@other.example:8443", "IMGSCRIPT_BOARDS_OTHER_EXAMPLE_8443_KEY"),
    ])
    func keyBelongsToOneServer(_ server: String?, _ name: String, _ variable: String) throws {
        let server = try server.map { text throws(InvalidURL) in try WebURL(text) }
        let owner = SecretOwner(ProviderID("boards")!, on: server, usual: try WebURL("https://usual.example"))
        #expect(owner.description == name)
        #expect(owner.variable("key") == variable)
        #expect(SecretOwner(name) == owner)
        try store().set("key", of: owner, to: "value")
        let elsewhere = SecretOwner(ProviderID("boards")!, on: try WebURL("https://third.example"), usual: nil)
        #expect(try store(["IMGSCRIPT_BOARDS_KEY": "v"]).secrets(named: ["key"], of: elsewhere).isEmpty)
    }
}
