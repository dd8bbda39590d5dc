/// What would help after an error, as a fact: a program says by which option or command.
///
/// A literal is a hint that names neither. ``description`` is for programs without commands of their own.
public enum Hint: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// A sentence that is the same in every program.
    case plain(String)
    /// Any of these helps.
    case several([Hint])

    // MARK: Keys and servers

    /// Store a key for a provider, or for one of its servers; the environment's variables may hold it, too.
    case storeKey(provider: String, server: String?, variables: [String])
    /// Name a server, for software that runs on many.
    case nameInstance
    /// Name no server.
    case omitInstance
    /// Choose among the providers there are.
    case listProviders
    /// Read what a listing says of an item.
    case listDetails

    // MARK: Requests

    /// Allow requests to a host outside the public internet: `127.0.0.1:8080`.
    case allowHost(String)
    /// Raise the limit on the length of a response.
    case raiseBodyLimit
    /// Trust the certificate of a private authority.
    case trustCertificate
    /// Leave the mode in which only stored responses are used.
    case goOnline
    /// Leave the mode in which only recorded samples are used.
    case omitSamples

    // MARK: Scripts

    /// Give scripts more time.
    case raiseTimeLimit
    /// Give scripts more memory.
    case raiseMemoryLimit
    /// Name or install the program that runs scripts.
    case installWorker

    // MARK: Writing and testing providers

    /// Begin with a template.
    case createProvider
    /// Run the tests of a provider's file.
    case testProvider(file: String)
    /// Record responses of the live service, for a provider's file where one is named.
    case record(Recording, file: String?)
    /// Bring the snapshots of tests up to date.
    case updateSnapshots
    /// Let tests write the snapshots that are missing.
    case writeSnapshots

    // MARK: Packs

    /// Create a pack from a template.
    case createPack
    /// Build a pack, here or with npm.
    case buildPack
    /// Run every check of a pack.
    case testPack
    /// Create a pair of keys to sign with.
    case createSigningKey
    /// Name the key that a pack is signed with.
    case nameKey
    /// Install a pack by its name or source.
    case installPack(String)
    /// Install what the lockfile has, from the sources it has.
    case restorePacks
    /// Update a pack, or all, and allow what it asks for.
    case updatePack(String?)
    /// Remove a pack.
    case removePack(String)
    /// List the installed packs.
    case listPacks
    /// Look at what a registry has of a pack.
    case inspectPack(String)
    /// Search a registry, or another one.
    case searchRegistry

    /// What is recorded.
    public enum Recording: Hashable, Sendable {
        /// What was never recorded.
        case first
        /// What the recordings lack.
        case missing
        /// Everything, once more.
        case all
    }

    /// A hint that is the same in every program.
    public init(stringLiteral text: String) { self = .plain(text) }

    /// The hint in words that name no option and no command.
    public var description: String {
        switch self {
        case .plain(let text): text
        case .several(let hints): hints.map(\.description).joined(separator: "; ")
        case .storeKey(let provider, let server, let variables):
            "store a key for \(provider)\(server.map { " on \($0)" } ?? "")"
                + (variables.isEmpty ? "" : ", or set \(variables.joined(separator: ", "))")
        case .nameInstance: "name a server"
        case .omitInstance: "name no server"
        case .listProviders: "choose another provider"
        case .listDetails: "a search or a feed gives all that is known"
        case .allowHost(let host): "allow requests to \(host)"
        case .raiseBodyLimit: "raise the limit on the length of responses"
        case .trustCertificate: "trust the certificate of your own authority"
        case .goOnline: "allow requests"
        case .omitSamples: "ask the source itself"
        case .raiseTimeLimit: "give scripts more time"
        case .raiseMemoryLimit: "give scripts more memory"
        case .installWorker: "install imgscript-worker beside the program"
        case .createProvider: "begin with a template"
        case .testProvider(let file): "run the tests of \(file)"
        case .record(.first, _): "record responses"
        case .record(.missing, _): "record what is missing"
        case .record(.all, _): "record everything again"
        case .updateSnapshots: "update the snapshots"
        case .writeSnapshots: "let the tests write new snapshots"
        case .createPack: "create a pack from a template"
        case .buildPack: "build the pack first"
        case .testPack: "run the checks of the pack"
        case .createSigningKey: "create a pair of keys"
        case .nameKey: "name the key that you trust"
        case .installPack(let pack): "install \(pack)"
        case .restorePacks: "install the packs of the lockfile again"
        case .updatePack(let pack): "update \(pack ?? "the pack") and allow what it asks for"
        case .removePack(let pack): "remove \(pack)"
        case .listPacks: "list the installed packs"
        case .inspectPack(let pack): "look at the versions of \(pack)"
        case .searchRegistry: "check the name and the registry"
        }
    }
}
