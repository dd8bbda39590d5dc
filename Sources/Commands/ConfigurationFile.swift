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
        var data = Data()
        do {
            data = try Data(contentsOf: URL(filePath: path))
            self = try JSONDecoder().decode(Self.self, from: data)
            try checkBounds()
        } catch let fault as Fault {
            throw ConfigurationError(path: path, reason: fault.reason)
        } catch let error as DecodingError {
            throw ConfigurationError(path: path, reason: Self.reason(of: error, in: data))
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

    private static func reason(of error: DecodingError, in data: Data) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            guard let name = context.codingPath.first?.stringValue else { return reason(inTextOf: data) }
            return "\(name): expected \(Setting(rawValue: name)?.expectation ?? "something else")"
        @unknown default: return "\(error)"
        }
    }

    /// What is wrong with the text itself: the decoder says neither where, nor which number does not fit.
    private static func reason(inTextOf data: Data) -> String {
        do throws(InvalidJSON) {
            let json = try JSONValue(parsing: data)
            guard json.members != nil else { return "expected one JSON object" }
            let numbers = [Setting.scriptTimeout, .scriptMemory].filter { setting in
                guard case .number(let text)? = json[setting.rawValue] else { return false }
                return setting == .scriptMemory ? Int(text) == nil : Double(text)?.isFinite != true
            }
            return numbers.first.map { "\($0.rawValue): expected \($0.expectation)" } ?? "expected one JSON object"
        } catch { return "it is no JSON: \(error)" }
    }
}

/// Why the configuration cannot be used.
struct ConfigurationError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path) cannot be used: \(reason)" }
}
