import ArgumentParser
import ImgScript

struct GalleryCommand: AsyncParsableCommand, ProviderCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Search and look at images in the browser",
        discussion: """
            Starts a server on this machine, prints a link that works once, and opens it in the browser. Ctrl-C stops \
            the server. While it runs, the same command prints a new link to it.
              imgscript gallery coffee
              imgscript gallery --sample --provider pixabay coffee
              imgscript gallery --no-open --port 8080
            """)

    @Argument(help: "words to search for", completion: .nothing)
    var text: [String] = []

    @Option(
        within: 0...65_535,
        help: ArgumentHelp(
            "port to listen on (default: \(GalleryOptions.defaultPort), or a free one)", valueName: "number"))
    var port: Int?

    @Flag(name: .customLong("no-open"), help: "only print the link")
    var opensNoBrowser = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        try await server.launch { options in
            options.audience = .browser(opens: !opensNoBrowser)
            options.port = port ?? GalleryOptions.defaultPort
            options.isPortRequired = port != nil
            options.text = text.joined(separator: " ")
        }
    }
}

struct ServeCommand: AsyncParsableCommand, ProviderCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve searches, images and downloads to programs over HTTP",
        discussion: """
            The API of the gallery without its page; /api/v1/openapi.json describes it. Programs send the token in the \
            file as Authorization: Bearer. On SIGTERM, current requests are finished first.
              imgscript serve --token-file token --listen 127.0.0.1:8080
              curl -H "Authorization: Bearer $(cat token)" "http://127.0.0.1:8080/api/v1/images?q=coffee"
            """)

    @Option(
        help: ArgumentHelp("address to listen on (default: 127.0.0.1:8080)", valueName: "host:port"),
        transform: { try ListenAddress($0) })
    var listen = ListenAddress.default

    @Option(
        help: ArgumentHelp("file with the token that programs send, 16 characters or more", valueName: "file"),
        completion: .file())
    var tokenFile: String

    @Option(
        name: .customLong("host-name"),
        help: ArgumentHelp("another name of the server, such as that of a proxy", valueName: "name[:port]"))
    var hostNames: [String] = []

    @Option(
        name: .customLong("allow-origin"),
        help: ArgumentHelp("origin whose web pages may use the API (CORS)", valueName: "origin"),
        transform: { try WebOrigin($0).text })
    var allowedOrigins: [String] = []

    @Option(within: 1...100_000, help: ArgumentHelp("maximum number of concurrent searches", valueName: "n"))
    var maxSearches = 256

    @Option(within: 1...100_000, help: ArgumentHelp("maximum number of concurrent requests", valueName: "n"))
    var maxConcurrentRequests = 1_024

    @OptionGroup var server: ServerOptions

    func run() async throws {
        try await server.launch { options in
            options.audience = .programs(tokenFile: tokenFile)
            options.host = listen.host
            options.port = listen.port
            options.names = hostNames
            options.origins = allowedOrigins
            options.maximumSearches = maxSearches
            options.maximumRequests = maxConcurrentRequests
        }
    }
}

/// An address to listen at: `127.0.0.1:8080`, `[::1]:8080`.
struct ListenAddress: Hashable, Sendable {
    static let `default` = ListenAddress(host: "127.0.0.1", port: 8_080)

    let host: String
    let port: Int

    private init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// Reads an address; throws what is expected.
    init(_ text: String) throws {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { throw ValidationError("expected HOST:PORT, such as 127.0.0.1:8080") }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw ValidationError("expected HOST:PORT, such as 127.0.0.1:8080") }
        self.init(host: String(host), port: port)
    }
}

/// The origin of web pages, as browsers send it: `https://app.example.org`.
struct WebOrigin {
    let text: String

    /// Reads an origin; throws what is expected.
    init(_ text: String) throws {
        guard let url = try? WebURL(text), url.origin == text.lowercased() else {
            throw ValidationError("expected SCHEME://HOST[:PORT], such as https://app.example.org")
        }
        self.text = url.origin
    }
}

/// Options of both commands that start a server.
struct ServerOptions: ParsableArguments {
    @Option(name: .providers, help: .providers, completion: .providersOrAll)
    var providers: [String] = []

    @Option(
        name: .shortAndLong, help: ArgumentHelp("folder for downloads", valueName: "folder"),
        completion: .directory)
    var directory = "."

    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws {
        for (name, isSet) in [("--dry-run", engine.dryRun), ("--trace", engine.trace)] where isSet {
            throw ValidationError("\(name): not supported here (expected a command that prints results)")
        }
    }

    /// Becomes the server, with these options and those that a command adds.
    func launch(_ configure: (inout GalleryOptions) -> Void) async throws {
        let context = try AppContext(engine)
        var options = GalleryOptions(context.settings)
        options.providers = providers
        options.downloadFolder = directory
        configure(&options)
        try await GalleryLaunch(context: context, options: options, network: engine.network).run()
    }
}
