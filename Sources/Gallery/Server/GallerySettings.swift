import FoundationEssentials
import Glibc
import ImgScript

/// What a gallery is made with, once its options are known.
package struct GallerySettings: Sendable {
    /// The address to listen at.
    var host: String
    /// The port to listen at; 0 for one that is free.
    var port: Int
    /// Further names under which the server may be asked.
    var names: [String]
    /// The token that programs send; nil where a browser is served, by a link.
    var token: String?
    /// The providers that are asked when a request names none.
    var defaultProviders: [String]
    /// Where images are downloaded to, an absolute path.
    var downloadFolder: String
    /// Whether only stored answers are used.
    var isOffline: Bool
    /// Whether answers are the samples that ship with the providers.
    var isSample: Bool
    /// The most searches side by side.
    var maximumSearches: Int
    /// The most requests side by side.
    var maximumRequests: Int
    /// Whether no other port will do.
    var isPortRequired: Bool
    /// The origins of other pages that may use the API.
    var origins: [String]
    /// The variables of this process.
    var environment: [String: String]
    /// A folder with the page's files, to be read at every request instead of those in the program.
    var pageFolder: String?

    /// The settings that options stand for.
    ///
    /// - Throws: ``GalleryError`` when the token cannot be read, or is none.
    package init(_ options: GalleryOptions, _ engine: ImageEngine.Configuration) throws {
        host = options.host
        port = options.port
        names = options.names
        if case .programs(let file) = options.audience { token = try Self.token(in: file) }
        defaultProviders = options.providers.isEmpty ? engine.defaultProviders : options.providers
        downloadFolder = URL(filePath: options.downloadFolder).standardized.path
        isOffline = engine.cacheMode == .offline
        isSample = options.engine.isSample
        maximumSearches = options.maximumSearches
        maximumRequests = options.maximumRequests
        pageFolder = options.pageFolder
        isPortRequired = options.isPortRequired
        origins = options.origins
        environment = ProcessInfo.processInfo.environment
    }

    private static func token(in path: String) throws -> String {
        guard access(path, R_OK) == 0, let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw GalleryError(
                .token, "could not read the token in \(path.quoted): \(String(cString: strerror(errno)))")
        }
        let token = String(decoding: data, as: UTF8.self).trimmingSpaces
        guard token.utf8.count >= 16, token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw GalleryError(
                .token, "no valid token in \(path.quoted) (expected 16 or more letters, digits and signs)")
        }
        return token
    }
}

/// Why a gallery cannot be started.
package struct GalleryError: Error, CustomStringConvertible {
    /// What may be told apart.
    package enum Code: Sendable {
        case token
        case address
    }

    /// What is wrong.
    package let code: Code
    /// What was found and what was expected.
    package let description: String

    /// An error.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
