import FoundationEssentials
import Glibc

/// The user's `config.json`.
struct ConfigurationFile: Decodable {
    /// Hosts on private networks that requests may go to.
    var allowHosts: [String]?
    /// A file of certificates trusted besides the system's.
    var caFile: String?
    /// Seconds.
    var scriptTimeout: Double?
    /// Megabytes.
    var scriptMemory: Int?

    /// No settings.
    init() {}

    /// Reads the file of a folder; none is no settings.
    init(folder: String) throws(ConfigurationError) {
        let path = "\(folder)/config.json"
        guard access(path, F_OK) == 0 else { return }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        } catch let error as DecodingError {
            throw ConfigurationError(path: path, reason: Self.reason(of: error))
        } catch {
            throw ConfigurationError(path: path, reason: "it cannot be read")
        }
    }

    private static func reason(of error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")): \(context.debugDescription)"
        @unknown default: "\(error)"
        }
    }
}

/// Why the configuration cannot be used.
struct ConfigurationError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path) cannot be used: \(reason)" }
}
