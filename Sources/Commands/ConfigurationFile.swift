import FoundationEssentials
import Glibc
import ProviderModel

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
            try checkBounds()
        } catch let fault as Fault {
            throw ConfigurationError(path: path, reason: fault.reason)
        } catch let error as DecodingError {
            throw ConfigurationError(path: path, reason: Self.reason(of: error))
        } catch {
            throw ConfigurationError(path: path, reason: "it cannot be read")
        }
    }

    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        if let unknown = names.sorted().first(where: { Setting(rawValue: $0) == nil }) {
            // A slip, most likely, which would leave out what somebody relies on.
            let all = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(reason: "\(unknown.quoted) is no setting; there are \(all)")
        }
        let settings = try decoder.container(keyedBy: Setting.self)
        allowHosts = try settings.decodeIfPresent([String].self, forKey: .allowHosts)
        caFile = try settings.decodeIfPresent(String.self, forKey: .caFile)
        scriptTimeout = try settings.decodeIfPresent(Double.self, forKey: .scriptTimeout)
        scriptMemory = try settings.decodeIfPresent(Int.self, forKey: .scriptMemory)
    }

    private enum Setting: String, CodingKey, CaseIterable {
        case allowHosts, caFile, scriptTimeout, scriptMemory

        var expectation: String {
            switch self {
            case .allowHosts: "a list of hosts"
            case .caFile: "the path of a file"
            case .scriptTimeout: "a number of seconds"
            case .scriptMemory: "a whole number of megabytes"
            }
        }
    }

    /// Any name that stands in the file.
    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    private struct Fault: Error {
        let reason: String
    }

    private func checkBounds() throws(Fault) {
        if let scriptTimeout, !EngineOptions.scriptTimeouts.contains(scriptTimeout) {
            throw Fault(reason: "scriptTimeout is \(scriptTimeout), expected 0.01 to 600 seconds")
        }
        if let scriptMemory, !EngineOptions.scriptMemories.contains(scriptMemory) {
            throw Fault(reason: "scriptMemory is \(scriptMemory), expected 32 to 65536 megabytes")
        }
    }

    private static func reason(of error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            guard let name = context.codingPath.first?.stringValue else { return "expected one JSON object" }
            return "\(name): expected \(Setting(rawValue: name)?.expectation ?? "something else")"
        @unknown default: return "\(error)"
        }
    }
}

/// Why the configuration cannot be used.
struct ConfigurationError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path) cannot be used: \(reason)" }
}
