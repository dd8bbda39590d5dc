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

    /// Seconds.
    private(set) var connectTimeout: Double?
    /// Seconds.
    private(set) var timeout: Double?
    private(set) var retries: Int?
    private(set) var proxy: String?
    /// An e-mail address or URL for the `User-Agent`.
    private(set) var contact: String?

    /// The providers that are used when none is named.
    private(set) var provider: [String]?
    /// Groups of providers by name.
    private(set) var groups: [String: [String]]?

    private enum Setting: String, CaseIterable {
        case provider, groups, allowHosts, caFile, proxy, contact, connectTimeout, timeout, retries, scriptTimeout,
            scriptMemory
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
        let value = Value(name: setting.rawValue, json: value)
        switch setting {
        case .provider: provider = try value.names()
        case .groups: groups = try value.groups()
        case .allowHosts: allowHosts = try value.hosts()
        case .caFile: caFile = try value.text("the path of a file")
        case .proxy: proxy = try value.text("the URL of a proxy")
        case .contact:
            let text = try value.text("an e-mail address or URL")
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ")") }) else {
                throw Fault("contact: found \(text.quoted) (expected an e-mail address or URL)")
            }
            contact = text
        case .connectTimeout: connectTimeout = try value.seconds(within: NetworkOptions.timeouts)
        case .timeout: timeout = try value.seconds(within: NetworkOptions.timeouts)
        case .retries: retries = try value.integer(within: NetworkOptions.retryCounts, "a whole number")
        case .scriptTimeout: scriptTimeout = try value.seconds(within: ScriptOptions.timeouts)
        case .scriptMemory:
            scriptMemory = try value.integer(within: ScriptOptions.memories, "a whole number of megabytes")
        }
    }

    /// The value of a setting, read as what the setting takes.
    private struct Value {
        let name: String
        let json: JSONValue

        func text(_ expectation: String) throws(Fault) -> String {
            guard case .text(let text) = json else { throw Fault("\(name): expected \(expectation)") }
            return text
        }

        /// One provider, group or `all`, or a list of these.
        func names() throws(Fault) -> [String] {
            let values: [JSONValue] = if case .array(let values) = json { values } else { [json] }
            var names: [String] = []
            for value in values {
                guard case .text(let name) = value,
                    ProviderID(name) != nil || name.first == "@" && ProviderID(String(name.dropFirst())) != nil
                else { throw Fault("\(self.name): expected names of providers, such as \"met\", @groups or \"all\"") }
                names.append(name)
            }
            guard !names.isEmpty else { throw Fault("\(name): found an empty list (expected names of providers)") }
            return names
        }

        func groups() throws(Fault) -> [String: [String]] {
            guard let members = json.members else {
                throw Fault("\(name): expected an object of lists of providers by the groups' names")
            }
            var groups: [String: [String]] = [:]
            for member in members {
                guard ProviderID(member.name) != nil else {
                    throw Fault("\(name): found \(member.name.quoted) (expected a name of a–z, 0–9 and -, without @)")
                }
                groups[member.name] = try Value(name: "\(name).\(member.name)", json: member.value).names()
            }
            return groups
        }

        func hosts() throws(Fault) -> [String] {
            guard case .array(let values) = json else { throw Fault("\(name): expected a list of hosts") }
            let hosts = values.compactMap { if case .text(let host) = $0 { host } else { nil } }
            guard hosts.count == values.count else { throw Fault("\(name): expected a list of hosts") }
            return hosts
        }

        func seconds(within range: ClosedRange<Double>) throws(Fault) -> Double {
            guard case .number(let text) = json else { throw Fault("\(name): expected a number of seconds") }
            guard let number = Double(text), range.contains(number) else {
                throw Fault(
                    "\(name): found \(text) (expected \(range.lowerBound) to \(Int(range.upperBound)) seconds)")
            }
            return number
        }

        func integer(within range: ClosedRange<Int>, _ expectation: String) throws(Fault) -> Int {
            guard case .number(let text) = json else { throw Fault("\(name): expected \(expectation)") }
            guard let number = Int(text), range.contains(number) else {
                throw Fault(
                    "\(name): found \(text) (expected \(expectation) from \(range.lowerBound) to \(range.upperBound))")
            }
            return number
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
