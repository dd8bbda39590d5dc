/// What helps after an error, as a fact that a program words by its own options and commands.
///
/// A literal is a hint that names neither. ``description`` is for programs without commands of their own.
public enum Hint: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// A sentence that is the same in every program.
    case plain(String)
    /// Any of these hints.
    case several([Hint])

    // MARK: Keys and servers

    /// Store a key for a provider, or for one of its servers; the variables may hold it, too.
    case storeKey(provider: String, server: String?, variables: [String])
    /// Store the cookies of a login at a provider, or at one of its servers, or name where they are.
    case storeCookies(provider: String, server: String?)
    /// Log in at a provider, or at one of its servers, in a browser.
    case logIn(provider: String, server: String?)
    /// Enter the application's client_id and client_secret for a login once more.
    case enterClient(provider: String, server: String?)
    /// Choose another port of this machine for a login.
    case choosePort
    /// Leave out the cookies: no provider takes them.
    case omitCookies
    /// Name a server, for software that runs on many.
    case nameInstance
    /// Name no server.
    case omitInstance
    /// Name no provider for the URL of a file.
    case omitProvider
    /// Choose another provider.
    case listProviders
    /// Groups of providers are settings.
    case configureGroups
    /// Use the listing's data: the source has no details of single items.
    case listDetails

    // MARK: Requests

    /// Allow requests to a host outside the public internet: `127.0.0.1:8080`.
    case allowHost(String)
    /// Raise the limit on the length of a response.
    case raiseBodyLimit
    /// Trust the certificate of a private authority.
    case trustCertificate
    /// Wait longer for a server's data.
    case raiseIdleTimeout
    /// Wait longer for connections.
    case raiseConnectTimeout
    /// Leave the mode in which only stored responses are used.
    case goOnline
    /// Leave the mode in which only recorded samples are used.
    case omitSamples

    // MARK: Scripts

    /// Report that a provider does not understand its source, at a place where it names one.
    case reportFault(provider: String, version: String, place: String?)
    /// Give scripts more time.
    case raiseTimeLimit
    /// Give scripts more memory.
    case raiseMemoryLimit
    /// Name or install the program that runs scripts.
    case installWorker

    // MARK: Writing and testing providers

    /// Begin with a template.
    case createProvider
    /// Name the request that a response answers.
    case nameRequest
    /// Run the tests of a provider's file.
    case testProvider(file: String)
    /// Record responses of the live service, for a provider's file where one is named.
    case record(Recording, file: String?)
    /// Record one call of the live service, for a provider's file.
    case recordCall(CallToRecord, file: String)
    /// Let the recorded responses answer the requests as they are now, for a provider's file.
    case adaptRecordings(file: String)
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
    /// Name the key that the status of sources is signed with.
    case nameStatusKey
    /// Install a pack by its name or source.
    case installPack(String)
    /// Install the packs of the lockfile, from their sources.
    case restorePacks
    /// Update a pack, or all, and grant the permissions it requests.
    case updatePack(String?)
    /// Remove a pack.
    case removePack(String)
    /// List the installed packs.
    case listPacks
    /// Inspect a pack's versions in a registry.
    case inspectPack(String)
    /// Search a registry, or another one.
    case searchRegistry
    /// Install a pack that has what is missing: `anna:@anna/boards`.
    case addPack(String)
    /// Trust an index of packs under this name.
    case addIndex(String)
    /// Trust the new key of an index, if it comes from a trusted source.
    case trustIndexKey(name: String, url: String)
    /// Install a newer version of a pack, in which a source may work again.
    case updateKnown(pack: String, version: String)

    /// What is recorded.
    public enum Recording: Hashable, Sendable {
        /// The first responses.
        case first
        /// The responses that the recordings lack.
        case missing
        /// All responses, once more.
        case all
    }

    /// A call of a provider, in the words of a user.
    public struct CallToRecord: Hashable, Sendable {
        /// The operation.
        public var operation: ProviderOperation
        /// The search text; empty for none.
        public var text = ""
        /// The id of the item; nil for a search and a feed.
        public var item: String?
        /// The number of items per page; nil for the usual one.
        public var pageSize: Int?
        /// The provider's own parameters, as users type them.
        public var parameters: [NamedValue] = []
        /// The point to search around, as `52.5,13.4`.
        public var near: String?
        /// The URL of the image to compare.
        public var image: String?
        /// Whether all pages are wanted.
        public var takesAllPages = false

        /// Creates a call.
        ///
        /// - Parameters:
        ///   - operation: the operation.
        ///   - text: the search text; empty for none.
        public init(_ operation: ProviderOperation, text: String = "") {
            (self.operation, self.text) = (operation, text)
        }
    }

    /// Creates a ``plain(_:)`` hint.
    ///
    /// - Parameter text: a phrase that names no option and no command.
    public init(stringLiteral text: String) { self = .plain(text) }

    /// The hint in words that name no option and no command.
    public var description: String {
        switch self {
        case .plain(let text): text
        case .several(let hints): hints.map(\.description).joined(separator: "; ")
        case .storeKey(let provider, let server, let variables):
            "store a key for \(provider)\(server.map { " on \($0)" } ?? "")"
                + (variables.isEmpty ? "" : ", or set \(variables.joined(separator: ", "))")
        case .storeCookies(let provider, let server):
            "store the cookies of a login at \(provider)\(server.map { " on \($0)" } ?? "")"
        case .logIn(let provider, let server): "log in at \(provider)\(server.map { " on \($0)" } ?? "")"
        case .enterClient(let provider, let server):
            "check client_id and client_secret of \(provider)\(server.map { " on \($0)" } ?? "")"
        case .choosePort: "choose another port"
        case .omitCookies: "name no cookies"
        case .nameInstance: "name a server"
        case .omitInstance: "name no server"
        case .omitProvider: "a file's own URL needs no provider"
        case .listProviders: "choose another provider"
        case .configureGroups: "name the group in the settings"
        case .listDetails: "a search or a feed gives all that is known"
        case .allowHost(let host): "allow requests to \(host)"
        case .raiseBodyLimit: "raise the limit on the length of responses"
        case .trustCertificate: "trust the certificate of your own authority"
        case .goOnline: "allow requests"
        case .omitSamples: "ask the source itself"
        case .raiseIdleTimeout: "try again later, or wait longer for data"
        case .raiseConnectTimeout: "check the address, or wait longer for connections"
        case .reportFault(let provider, let version, let place):
            "the source may have changed since \(provider) \(version) was written"
                + (place.map { "; report it at \($0)" } ?? "")
        case .raiseTimeLimit: "give scripts more time"
        case .raiseMemoryLimit: "give scripts more memory"
        case .installWorker: "install imgscript-worker beside the program"
        case .createProvider: "begin with a template"
        case .nameRequest: "name the request that the response answers"
        case .testProvider(let file): "run the tests of \(file)"
        case .record(.first, _): "record responses"
        case .record(.missing, _): "record what is missing"
        case .record(.all, _): "record everything again"
        case .recordCall(let call, _): "record the \(call.operation) again"
        case .adaptRecordings: "adapt the recorded requests, if the responses stay the same"
        case .updateSnapshots: "update the snapshots"
        case .writeSnapshots: "let the tests write new snapshots"
        case .createPack: "create a pack from a template"
        case .buildPack: "build the pack first"
        case .testPack: "run the checks of the pack"
        case .createSigningKey: "create a pair of keys"
        case .nameKey, .nameStatusKey: "name the key that you trust"
        case .installPack(let pack): "install \(pack)"
        case .restorePacks: "install the packs of the lockfile again"
        case .updatePack(let pack): "update \(pack ?? "the pack") and allow what it asks for"
        case .removePack(let pack): "remove \(pack)"
        case .listPacks: "list the installed packs"
        case .inspectPack(let pack): "look at the versions of \(pack)"
        case .searchRegistry: "check the name and the registry"
        case .addPack(let source): "the pack \(source) has it"
        case .addIndex(let name): "add an index of packs, such as \(name)"
        case .trustIndexKey(let name, _):
            "if the owner of \(name) has a new key, get it from a source you trust"
        case .updateKnown(let pack, let version): "\(pack) \(version) is available, in which it may work again"
        }
    }
}
