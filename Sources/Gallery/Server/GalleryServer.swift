import Glibc
import Hummingbird
import HummingbirdCore
import ImgScript
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The gallery: the page, and the API that it and other programs use.
package struct GalleryServer: Sendable {
    /// Where a server can be reached.
    package struct Address: Sendable {
        /// `http://127.0.0.1:8080/`.
        package let url: String
        /// The address with the token that lets a browser in, once; the same where programs are served.
        package let link: String
    }

    private let engine: ImageEngine
    private let settings: GallerySettings
    private let logger: Logger
    private let folder: GalleryFolder?

    /// A gallery over an engine; `folder` has the page's data and the browser's session, and is nil for programs.
    package init(engine: ImageEngine, settings: GallerySettings, folder: GalleryFolder?, logger: Logger) {
        self.folder = folder
        self.engine = engine
        self.settings = settings
        self.logger = logger
    }

    /// Serves until SIGTERM or SIGINT, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - query: the parameters that the link has besides its token: `q=coffee`.
    ///   - onStart: called once requests are taken.
    /// - Throws: ``GalleryError`` when the address cannot be listened at.
    package func run(
        query: String = "", onStart: @escaping @Sendable (Address) async -> Void
    ) async throws {
        let session = folder?.begin()
        let link = settings.token == nil ? LinkToken(session: session ?? LinkToken.random(), folder: folder) : nil
        do { try await serve(port: settings.port, session, link, query, onStart) } catch let error as IOError {
            if error.errnoCode == EADDRINUSE, !settings.isPortRequired {
                return try await serve(port: 0, session, link, query, onStart)
            }
            let reason = String(cString: strerror(error.errnoCode))
            throw GalleryError(.address, "could not listen at \(settings.host):\(settings.port): \(reason)")
        }
    }

    private func serve(
        port: Int, _ session: String?, _ link: LinkToken?, _ query: String,
        _ onStart: @escaping @Sendable (Address) async -> Void
    ) async throws {
        let bound = BoundResponder()
        let routes = GalleryRoutes(engine: engine, settings: settings, folder: folder, logger: logger)
        var configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [DisconnectHandler()], idleTimeout: .seconds(75))
        configuration.httpDecoder.maxHeaderFieldSize = Self.headerLimit
        configuration.httpDecoder.maxHeaderListSize = Self.headerLimit
        let application = Application(
            responder: bound, server: .http1(configuration: configuration),
            configuration: ApplicationConfiguration(address: .hostname(settings.host, port: port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                bound.set(routes.router(policy(port: port, link), link).buildResponder())
                let address = address(port: port, link, query)
                if let session { folder?.note(url: address.url, session: session) }
                await onStart(address)
            },
            logger: frameworkLogger)
        let trimming = MemoryTrimming(requests: routes.requests, searches: routes.searches)
        try await ServiceGroup(configuration: serviceConfiguration(for: [application, trimming])).run()
        await routes.downloads.shutdown()
    }

    /// What the framework says of its own steps is of no use to those who run the server.
    private var frameworkLogger: Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }

    /// SIGTERM and Ctrl-C let requests finish, as far as that does not take long.
    private func serviceConfiguration(for services: [any Service]) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: frameworkLogger)
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        return configuration
    }

    /// A cursor over many providers is long.
    private static let headerLimit = 256 << 10

    private func address(port: Int, _ link: LinkToken?, _ query: String) -> Address {
        let isAnyAddress = ["0.0.0.0", "::"].contains(settings.host)
        let name = isAnyAddress ? "127.0.0.1" : settings.host
        let url = "http://\(name.contains(":") ? "[\(name)]" : name):\(port)/"
        let parts = [link.map { "token=\($0.token)" }, query.isEmpty ? nil : query].compactMap(\.self)
        return Address(url: url, link: parts.isEmpty ? url : "\(url)?\(parts.joined(separator: "&"))")
    }

    private func policy(port: Int, _ link: LinkToken?) -> AccessPolicy {
        AccessPolicy(
            host: settings.host, port: port, names: settings.names, origins: settings.origins,
            secrets: [settings.token, link?.session].compactMap(\.self))
    }
}

/// The routes, which are known once the port is: it is part of the names that requests may come under.
private final class BoundResponder: HTTPResponder {
    private let responder = Mutex<RouterResponder<GalleryContext>?>(nil)

    func set(_ responder: RouterResponder<GalleryContext>) { self.responder.withLock { $0 = responder } }

    func respond(to request: Request, context: GalleryContext) async throws -> Response {
        guard let responder = responder.withLock(\.self) else { return Response(status: .serviceUnavailable) }
        return try await responder.respond(to: request, context: context)
    }
}
