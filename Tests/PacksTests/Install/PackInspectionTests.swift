import Packs
import ProviderRuntime
import TestSupport
import Testing

struct PackInspectionTests {
    private let worker = WorkerSettings(executable: BuiltWorker.path)

    private func providers(of manifest: PackManifest, in folder: String) async throws -> [String: LockedProvider] {
        ProviderInspection.locked(
            try await ProviderInspection.manifests(of: manifest, in: folder, worker: worker), of: manifest)
    }

    @Test func providersSayWhereTheyGoAndWhichKeysTheyWant() async throws {
        let pack = try MadePack()
        let manifest = try PackManifest.read(folder: pack.path)
        let providers = try await providers(of: manifest, in: pack.path)
        #expect(providers.keys.sorted() == ["dogs"])
        let dogs = try #require(providers["dogs"])
        #expect(dogs.file == "dogs.js")
        #expect(dogs.permissions.hosts.map(\.description) == ["api.dogs.example", "*.kennel.example"])
        #expect(dogs.permissions.mediaHosts.map(\.description) == ["images.dogs.example"])
        #expect(dogs.permissions.credentials == [.header, .query])
        #expect(!dogs.permissions.needsKey)
    }

    @Test func modulesInThePackAreFound() async throws {
        let themed = """
            const theme = require('./dogs-theme.js');
            module.exports = theme('dogs', 'dogs.example');
            """
        let theme = """
            module.exports = (id, host) => ({
              contract: 1, id, name: id, version: '1.0.0', hosts: [host], mediaHosts: [host],
              terms: { url: `https://${host}/` }, paging: 'none',
              search: { request: (q) => ({ url: `https://${host}/` }), parse: (res) => ({ items: [] }) },
            });
            """
        let pack = try MadePack(["dogs.js": themed, "dogs-theme.js": theme])
        let manifest = try PackManifest.read(folder: pack.path)
        let providers = try await providers(of: manifest, in: pack.path)
        #expect(providers["dogs"]?.permissions.hosts.map(\.description) == ["dogs.example"])
    }

    @Test(arguments: [
        ("throw new Error('no');", "no"), ("module.exports = {};", "contract"),
        (MadePack.provider.replacing("id: 'dogs'", with: "id: 'cats'"), "(expected \"dogs\", the name of the file)"),
        ("require('../../../etc/passwd');", "passwd"),
    ])
    func aProviderThatDoesNotLoadIsNamed(script: String, message: String) async throws {
        let pack = try MadePack(["dogs.js": script])
        let manifest = try PackManifest.read(folder: pack.path)
        await #expect {
            _ = try await providers(of: manifest, in: pack.path)
        } throws: { error in
            let error = error as? PackError
            return error?.code == .provider && error?.subject == "dogs.js"
                && error?.message.contains(message) == true
        }
    }
}
