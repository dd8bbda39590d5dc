import FoundationEssentials
import Gallery
import Glibc
import ImgScript
import Logging

/// The gallery's process: an engine, a server over it, and a browser that looks at it.
struct GalleryProgram: Sendable {
    private let options: GalleryOptions

    init(_ options: GalleryOptions) { self.options = options }

    /// Runs until the process gets a termination signal; returns its exit code.
    func run() async -> Int32 {
        do {
            var configuration = options.configuration(in: ProcessInfo.processInfo.environment)
            configuration.logger = logger("imgscript")
            let settings = try GallerySettings(options, configuration)
            let folder = isForPrograms ? nil : GalleryFolder(stateFolder: configuration.stateFolder, options: options)
            if let link = folder?.linkToRunningServer(query: query) {
                show(link)
                return 0
            }
            let engine = try ImageEngine(configuration)
            let logger = logger("gallery")
            let server = GalleryServer(engine: engine, settings: settings, folder: folder, logger: logger)
            try await server.run(query: query) { announce($0, logger) }
            await engine.shutdown()
            return 0
        } catch {
            let second = (error as? GalleryError).map { "hint: \(hint(for: $0.code))\n" } ?? ""
            Self.print("error: \(error)\n\(second)", to: STDERR_FILENO)
            return 1
        }
    }

    private func hint(for code: GalleryError.Code) -> String {
        switch (code, options.audience) {
        case (.token, _): "head -c 24 /dev/urandom | base64 >FILE writes one"
        case (.address, .programs): "choose another address with --listen"
        case (.address, .browser): "choose another port with --port, or leave it out for a free one"
        }
    }

    /// What the page begins with, as its address has it.
    private var query: String {
        let text = options.text.isEmpty ? [] : ["q=\(PercentEncoding.encode(options.text))"]
        return (text + options.providers.map { "provider=\(PercentEncoding.encode($0))" }).joined(separator: "&")
    }

    private func announce(_ address: GalleryServer.Address, _ logger: Logger) {
        guard !isForPrograms else {
            return logger.notice("listening", metadata: ["url": .string(address.url)])
        }
        show(address.link)
    }

    /// Prints a link, and opens it unless that is not wanted.
    private func show(_ link: String) {
        // The one line of output: a script may read it and open the page itself.
        Self.print("\(link)\n", to: STDOUT_FILENO)
        // What the server makes is an address.
        guard case .browser(opens: true) = options.audience, let page = try? WebURL(link) else { return }
        // Where no page can be shown, the address that was printed has to do.
        _ = BrowserProgram.open(page, environment: ProcessInfo.processInfo.environment)
    }

    private var isForPrograms: Bool { if case .programs = options.audience { true } else { false } }

    private func logger(_ label: String) -> Logger {
        let level: Logger.Level =
            options.isVerbose ? .debug : options.isQuiet ? .error : isForPrograms ? .info : .warning
        return Logger(label: label) { JSONLogHandler(label: $0, level: level) }
    }

    private static func print(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        // A closed output does not end the server.
        _ = write(descriptor, bytes, bytes.count)
    }
}
