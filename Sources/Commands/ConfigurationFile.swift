import FoundationEssentials
import Glibc
import ProviderModel
import ProviderRuntime

/// The user's `config.json`.
struct ConfigurationFile {
    /// Hosts on private networks that requests may go to.
    private(set) var allowHosts: [String]?
    /// A file of certificates trusted besides the system's.
    private(set) var caFile: String?
    /// Seconds.
    private(set) var scriptTimeout: Double?
    /// Megabytes.
    private(set) var scriptMemory: Int?

    private enum Setting: String, CaseIterable {
        case allowHosts, caFile, scriptTimeout, scriptMemory
    }

    /// Reads the file of a folder; a folder without one has no settings.
    init(folder: String) throws(ConfigurationError) {
        let path = "\(folder)/config.json"
        guard access(path, F_OK) == 0 else { return }
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw ConfigurationError(path: path, reason: error.systemReason)
        }
        do throws(Fault) { try read(data) } catch { throw ConfigurationError(path: path, reason: error.reason) }
    }

    private mutating func read(_ data: Data) throws(Fault) {
        let json: JSONValue
        do { json = try JSONValue(parsing: data) } catch { throw Fault("invalid JSON: \(error)") }
        guard let members = json.members else { throw Fault("expected one JSON object") }
        for member in members where member.value != .null {
            guard let setting = Setting(rawValue: member.name) else {
                // Most likely a typing error: ignoring it would leave out a setting that the user relies on.
                let all = Setting.allCases.map(\.rawValue)
                let expected = all.joined(separator: ", ")
                throw Fault(
                    "unknown setting \"\(member.name)\"\(member.name.suggestion(among: all, expected: expected))")
            }
            try read(setting, member.value)
        }
    }

    private mutating func read(_ setting: Setting, _ value: JSONValue) throws(Fault) {
        let name = setting.rawValue
        switch (setting, value) {
        case (.allowHosts, .array(let values)):
            let hosts = values.compactMap { if case .text(let host) = $0 { host } else { nil } }
            guard hosts.count == values.count else { throw Fault("\(name): expected a list of hosts") }
            allowHosts = hosts
        case (.allowHosts, _): throw Fault("\(name): expected a list of hosts")
        case (.caFile, .text(let path)): caFile = path
        case (.caFile, _): throw Fault("\(name): expected the path of a file")
        case (.scriptTimeout, .number(let text)):
            guard let number = Double(text), ScriptOptions.timeouts.contains(number) else {
                throw Fault("\(name): found \(text) (expected 0.01 to 600 seconds)")
            }
            scriptTimeout = number
        case (.scriptTimeout, _): throw Fault("\(name): expected a number of seconds")
        case (.scriptMemory, .number(let text)):
            guard let number = Int(text), ScriptOptions.memories.contains(number) else {
                throw Fault("\(name): found \(text) (expected a whole number of megabytes from 32 to 65536)")
            }
            scriptMemory = number
        case (.scriptMemory, _): throw Fault("\(name): expected a whole number of megabytes")
        }
    }

    private struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
}

/// Why the configuration cannot be used.
struct ConfigurationError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "could not use \(path): \(reason)" }
}
