public import HTTPTransport
import ProviderModel
import ProviderRuntime
import Search

/// An installed provider, as a list shows it.
public struct ProviderListing: Sendable {
    /// The provider's id.
    public let id: ProviderID
    /// The path of its file.
    public let path: String
    /// The pack that it is installed with, and its version; nil for a file without a pack.
    public let pack: String?
    /// Whether it ships with the program.
    public let isShipped: Bool
    /// Files with the same id in folders further away, which are not used.
    public let shadowed: [String]
    /// The page where faults of its file are reported: its own, else its pack's; nil where neither names one.
    public let bugs: String?
    /// Its manifest, or why it cannot be used.
    public let manifest: Result<ProviderManifest, any Error>
    /// The name and version of its pack, installed or shipped.
    let packVersion: (name: String, version: String)?
    /// The break that its version is known to suffer from; nil where none is known.
    public internal(set) var broken: Broken?

    /// A change of a source that a provider's version does not understand.
    public struct Broken: Hashable, Sendable, CustomStringConvertible {
        /// `broken since 3 Sept, mended in core 1.4.0`.
        public let description: String
        /// The pack whose update mends it; nil where none is known to.
        public let pack: String?
    }
}

extension ImageEngine {
    /// Returns every provider that is installed, sorted by id.
    ///
    /// A provider that is loaded for the first time is evaluated in a worker, which takes time on a busy machine.
    ///
    /// - Parameter onProgress: called with how many providers have been loaded, and how many there are, before the first
    ///   and after each.
    /// - Returns: the providers; one that cannot be used has its error in place of its manifest.
    public func listProviders(
        onProgress: (_ loaded: Int, _ count: Int) -> Void = { _, _ in }
    ) async -> [ProviderListing] {
        let entries = directory.entries()
        let providers = providers
        onProgress(0, entries.count)
        return await withTaskGroup(of: ProviderListing.self) { group in
            var remaining = entries.makeIterator()
            // Each may be a process that starts: all of them at once would fill the machine.
            for _ in 0..<Self.concurrentLoads {
                if let entry = remaining.next() { group.addTask { await providers.listing(of: entry) } }
            }
            var listings: [ProviderListing] = []
            for await listing in group {
                listings.append(listing)
                onProgress(listings.count, entries.count)
                if let entry = remaining.next() { group.addTask { await providers.listing(of: entry) } }
            }
            let health = health
            return listings.sorted { $0.id < $1.id }.map { adding(health, to: $0) }
        }
    }

    /// How many providers are loaded at once.
    private static let concurrentLoads = 8

    /// Starts a worker, and returns the restrictions of its sandbox: `no_new_privs`, `seccomp`.
    ///
    /// - Returns: their names.
    /// - Throws: `ProviderError` with the code `worker` when no script can run here.
    public func checkSandbox() async throws(ProviderError) -> [String] { try await providers.checkSandbox() }

    /// Returns the JavaScript files in the providers' folders whose names are not ids, so that they are not used.
    ///
    /// - Returns: the paths, sorted.
    public func misnamedFiles() -> [String] { directory.misnamed() }

    /// Checks that a provider is installed, without loading it.
    ///
    /// - Parameter name: the provider's id.
    /// - Throws: `ProviderError` with the code `provider` and similar names when there is none.
    public func checkInstalled(_ name: String) throws(ProviderError) { _ = try directory.entry(named: name) }

    /// Returns whether a provider is installed, without loading it.
    ///
    /// - Parameter name: the provider's id.
    /// - Returns: whether there is a file of that name.
    public func isInstalled(_ name: String) -> Bool {
        // Why there is none is said when it is used.
        (try? checkInstalled(name)) != nil
    }

    /// The options of a call with the provider's own settings among them.
    package func options(_ options: SearchOptions, of provider: String) -> SearchOptions {
        settings.adjusting(options)(provider)
    }

    /// Returns a provider's manifest.
    ///
    /// - Parameter name: the provider's id.
    /// - Returns: the manifest.
    /// - Throws: `ProviderError` when there is no such provider or its file cannot be used.
    public func manifest(of name: String) async throws -> ProviderManifest {
        try await providers.provider(named: name).manifest
    }

    /// Returns a provider as a list shows it.
    ///
    /// - Parameter name: the provider's id.
    /// - Returns: the provider; its error in place of its manifest where it cannot be used.
    /// - Throws: `ProviderError` when there is no such provider.
    public func listing(of name: String) async throws -> ProviderListing {
        adding(health, to: await providers.listing(of: try directory.entry(named: name)))
    }

    /// Returns the writer of attributions for a provider's items.
    ///
    /// - Parameter provider: the provider's id.
    /// - Returns: the writer.
    /// - Throws: `ProviderError` when there is no such provider or its file cannot be used.
    public func attributionWriter(for provider: ProviderID) async throws -> AttributionWriter {
        let provider = try await providers.provider(named: provider.description)
        return AttributionWriter(
            DownloadSource(
                provider.manifest, instance: provider.server, credentials: try await provider.fileCredentials()))
    }

    /// Evaluates a provider's file in any folder, and checks its manifest.
    ///
    /// - Parameter path: the file.
    /// - Returns: the manifest.
    /// - Throws: `ProviderError`, with the position of the fault, when the file cannot be used.
    public func check(file path: String) async throws -> ProviderManifest {
        try await providers.provider(at: path).manifest
    }

    /// The provider in a file, evaluated anew.
    package func reloadedProvider(at path: String) async throws -> ScriptProvider {
        try await providers.reloadedProvider(at: path)
    }

    /// Lists images of one loaded provider.
    package func events(
        of listing: Listing, from provider: ScriptProvider, _ options: SearchOptions
    ) -> MergedSearch {
        let open: @Sendable () async throws -> any ImageSource = { provider }
        return MergedSearch(
            [(provider.manifest.id.description, open)], listing: listing,
            options: options, for: settings.adjusting(options))
    }
}

// MARK: The server of software that runs on many

extension ImageEngine {
    /// Checks that a configured server is used by at least one provider.
    ///
    /// - Parameter names: the providers' ids.
    /// - Throws: `ProviderError` with the code `unsupported` when every one of them has a fixed server.
    public func checkInstance(isTakenBy names: [String]) async throws {
        guard instance != nil else { return }
        let known = await providers.usable(of: names)
        // What is wrong with one that cannot be loaded is reported when it is asked.
        guard known.count == names.count else { return }
        try await checkInstance(isTakenByAnyOf: known.map(\.manifest))
    }

    /// Does the same for the providers in files.
    package func checkInstance(isTakenByFiles paths: [String]) async throws {
        guard instance != nil else { return }
        var manifests: [ProviderManifest] = []
        for path in paths {
            // What is wrong with a file that cannot be loaded is reported when it is used.
            guard let manifest = try? await check(file: path) else { return }
            manifests.append(manifest)
        }
        try await checkInstance(isTakenByAnyOf: manifests)
    }

    func checkInstance(isTakenByAnyOf manifests: [ProviderManifest]) async throws {
        guard let instance, !manifests.isEmpty, manifests.allSatisfy({ $0.instance == nil }) else { return }
        // The hint lists only providers that can be loaded.
        let others = await listProviders().filter { (try? $0.manifest.get().instance) != nil }.map(\.id.description)
        let names = manifests.map(\.id.description).joined(separator: " and ")
        let have = manifests.count == 1 ? "has a fixed server" : "have fixed servers"
        throw ProviderError(
            .unsupported, provider: "",
            message: "the server \(instance.origin) cannot be used: \(names) \(have)",
            hint: others.isEmpty
                ? .omitInstance
                : .several([.omitInstance, "providers for many servers: \(others.joined(separator: ", "))"])
        )
    }
}

// MARK: Secrets

extension ImageEngine {
    /// A secret that exists, without its value.
    public struct SecretEntry: Sendable {
        /// The owner of the secret.
        public let owner: SecretOwner
        /// The secret's name: `key`, `user`.
        public let name: String
        /// The path of the file, or the name of the variable with `$` in front.
        public let origin: String
        /// The end of its validity in seconds since 1970; nil where it does not say.
        public let expires: Int?
        /// Whether it is renewed when it expires, until the user ends that at the source.
        public let isRenewed: Bool
    }

    /// Stores a secret in the user's configuration folder, in a file that only the user can read.
    ///
    /// - Parameters:
    ///   - name: the secret's name, of letters, digits and `_`, such as `key`.
    ///   - owner: the provider, or the provider on one server; see ``secretOwner(of:)``.
    ///   - value: the secret, one line of text.
    /// - Throws: `TransportError` with the code `secrets` when name or value is not valid, or the file cannot be written.
    public func setSecret(_ name: String, of owner: SecretOwner, to value: String) throws {
        try secrets.set(name, of: owner, to: value)
    }

    /// Removes all secrets of an owner from the user's configuration folder.
    ///
    /// - Parameter owner: the provider, or the provider on one server.
    /// - Returns: whether there were any.
    /// - Throws: `TransportError` with the code `secrets` when the file cannot be read or written.
    public func removeSecrets(of owner: SecretOwner) throws -> Bool { try secrets.remove(of: owner) }

    /// Returns the owner of the secrets that a provider's requests use with this configuration.
    ///
    /// - Parameter manifest: the provider's manifest.
    /// - Returns: the provider, on the configured server where it runs on many.
    public func secretOwner(of manifest: ProviderManifest) -> SecretOwner {
        manifest.secretOwner(on: instances[manifest.id.description])
    }

    /// Lists the secrets in the user's configuration folder and in environment variables, without their values.
    ///
    /// - Parameter manifests: the providers whose environment variables are listed.
    /// - Returns: the secrets, sorted by owner.
    /// - Throws: `TransportError` with the code `secrets` when the file cannot be read.
    public func listSecrets(of manifests: [ProviderManifest]) throws -> [SecretEntry] {
        let names = manifests.map { manifest in
            (
                owner: secretOwner(of: manifest),
                names: Set(manifest.authentication.flatMap { $0.secretNames + $0.optionalSecretNames }).sorted()
            )
        }
        return try secrets.list(environmentOf: names).map { entry in
            let origin =
                switch entry.origin {
                case .environment(let variable): "$\(variable)"
                case .file: secrets.path
                }
            let manifest = manifests.first { $0.id == entry.owner.provider }
            let end = login(of: entry)?.end
            let expires: Int? = if case .at(let time)? = end { time } else { expiry(of: entry, manifest) }
            return SecretEntry(
                owner: entry.owner, name: entry.name, origin: origin, expires: expires,
                isRenewed: end == .revocation)
        }
    }

    /// The login that a secret is; nil for other secrets, and for what cannot be read.
    private func login(of entry: SecretStore.Entry) -> OAuthLogin? {
        let name = AuthenticationMethod.loginSecret
        guard entry.name == name, let text = try? secrets.secrets(named: [name], of: entry.owner)[name] else {
            return nil
        }
        return try? OAuthLogin(stored: text, of: entry.owner)
    }

    /// The first end of the cookies that a login needs; nil for other secrets, and for what cannot be read.
    private func expiry(of entry: SecretStore.Entry, _ manifest: ProviderManifest?) -> Int? {
        let name = AuthenticationMethod.cookieSecret
        guard entry.name == name, let text = try? secrets.secrets(named: [name], of: entry.owner)[name],
            let cookies = try? CookieText.cookies(in: text, of: name)
        else { return nil }
        let needs = manifest?.authentication.compactMap(\.neededCookies).first ?? []
        return cookies.filter { needs.isEmpty || needs.contains($0.name) }.compactMap(\.expires).min()
    }

    /// Stores the cookies of a login in the user's configuration folder: those of the provider's hosts, and no others.
    ///
    /// - Parameters:
    ///   - origin: the file or browser that they are read from.
    ///   - manifest: the provider's manifest.
    /// - Returns: how many were stored, and the end of the login in seconds since 1970, as far as its cookies say.
    /// - Throws: `ProviderError` when the provider takes no cookies; `TransportError` with the code `secrets` when they cannot
    ///   be read, one that is needed is missing or has expired, or the file cannot be written.
    public func setCookies(
        from origin: Configuration.CookieOrigin, of manifest: ProviderManifest
    ) throws -> (count: Int, expires: Int?) {
        let server = manifest.instance == nil ? nil : instances[manifest.id.description] ?? manifest.instance?.default
        let source = try settings.cookieSource(origin, notices)
        guard let login = try LoginCookies(of: manifest, on: server, from: source, stored: nil) else {
            throw ProviderError(
                .unsupported, provider: manifest.id.description, message: "takes no cookies", hint: .omitCookies)
        }
        let name = AuthenticationMethod.cookieSecret
        try secrets.set(name, of: secretOwner(of: manifest), to: CookieText.json(login.cookies))
        return (login.cookies.count, login.expires)
    }

    /// Checks that configured cookies are used by at least one provider.
    ///
    /// - Parameter names: the providers' ids.
    /// - Throws: `ProviderError` with the code `unsupported` when none of them takes cookies.
    public func checkCookies(areTakenBy names: [String]) async throws {
        guard settings.cookies != nil else { return }
        let known = await providers.usable(of: names)
        // What is wrong with one that cannot be loaded is reported when it is asked.
        guard known.count == names.count, !known.isEmpty,
            known.allSatisfy({ $0.manifest.authentication.allSatisfy { $0.neededCookies == nil } })
        else { return }
        let all = known.map(\.manifest.id.description).joined(separator: " and ")
        throw ProviderError(
            .unsupported, provider: "",
            message: "the cookies cannot be used: \(all) \(known.count == 1 ? "takes" : "take") none",
            hint: .omitCookies)
    }
}

// MARK: For the developer's tools

extension ImageEngine {
    /// A transport to the live services without the cache, for recording and live tests.
    package func liveTransport() throws -> any Transport {
        var settings = settings
        // A dry run stays one.
        if settings.answers != .dryRun { settings.answers = .live }
        settings.cacheFolder = nil
        return try TransportStack(settings, directory: directory, notices: notices, logins: logins).transport
    }

    /// The source of the user's keys.
    package var userCredentials: CredentialSource { .user(settings.secrets ?? secrets, cookies: cookies) }

    /// Today's date in UTC.
    package static var today: CalendarDay { CalendarDay(secondsSince1970: WallClock.secondsSince1970) }

    /// A transport to registries, without the cache and rate limits of sources.
    package func packTransport() throws -> any Transport {
        if case .dryRun = settings.answers { return DryRunTransport(notices: notices) }
        return try TransportStack.plain(settings, notices)
    }

    /// The settings of workers that inspect packs.
    package var packWorker: WorkerSettings {
        var worker = settings.workerSettings(notices)
        worker.isStrict = true
        return worker
    }
}
