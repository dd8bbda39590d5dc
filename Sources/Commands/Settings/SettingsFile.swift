import Glibc
import ProviderModel

/// The user's `config.json`: settings for all providers, for single ones, and profiles of both.
struct SettingsFile {
    /// Settings that hold together: those of the file itself, or those of a profile.
    struct Section: Hashable {
        /// The values of each setting, by its key: `limit`, `param.rating`.
        var all: [String: [String]] = [:]
        /// The same for single providers.
        var providers: [String: [String: [String]]] = [:]
    }

    let path: String
    private(set) var main = Section()
    private(set) var profiles: [String: Section] = [:]
    /// The profile that is used when none is named.
    private(set) var profile: String?
    private let table: SettingsTable
    private let document: SettingsDocument

    /// Reads the file of a folder; without one there are no settings.
    init(folder: String, table: SettingsTable) throws(ConfigurationError) {
        path = Self.path(in: folder)
        self.table = table
        document = try SettingsDocument(path: path)
        main = try section(document.root, at: [])
        for member in try document.root["profiles"].map({ (json) throws(ConfigurationError) in
            try members(json, at: ["profiles"], "profiles by their names")
        }) ?? [] {
            profiles[member.name] = try section(member.value, at: ["profiles", member.name])
        }
        if let json = document.root["profile"] {
            guard let name = json.textValue else { throw fault(["profile"], "expected the name of a profile") }
            profile = name
        }
        try checkValues()
    }

    /// The path of the file in a folder.
    static func path(in folder: String) -> String { "\(folder)/config.json" }

    /// Where a key stands in the file: its line.
    func line(of key: String) -> Int? { document.line(of: SettingsDocument.path(of: key)) }

    private func section(_ json: JSONValue, at path: [String]) throws(ConfigurationError) -> Section {
        var section = Section()
        for member in try members(json, at: path, "settings by their names") where member.value != .null {
            switch member.name {
            case "profiles" where path.isEmpty, "profile" where path.isEmpty: continue
            case "providers":
                for provider in try members(member.value, at: path + ["providers"], "settings by providers' names") {
                    let place = path + ["providers", provider.name]
                    guard ProviderID(provider.name) != nil else {
                        throw fault(place, "invalid provider name (expected letters, digits and dashes)")
                    }
                    section.providers[provider.name] = try values(provider.value, at: place)
                }
            default: try read(member, at: path, into: &section.all)
            }
        }
        return section
    }

    /// Throws for the first value that is none of its setting's.
    private func checkValues() throws(ConfigurationError) {
        var values: [(place: [String], key: String, texts: [String])] = []
        func add(_ section: Section, at place: [String]) {
            func add(_ texts: [String: [String]], at place: [String]) {
                values += texts.map { (place + SettingsDocument.path(of: $0), $0, $1) }
            }
            add(section.all, at: place)
            for (provider, texts) in section.providers { add(texts, at: place + ["providers", provider]) }
        }
        add(main, at: [])
        for (name, section) in profiles { add(section, at: ["profiles", name]) }
        // At once, but for values of the same setting: the parser looks at the last of them only.
        var batches: [[String: [String]]] = []
        for value in values {
            if let index = batches.firstIndex(where: { $0[value.key] == nil }) {
                batches[index][value.key] = value.texts
            } else {
                batches.append([value.key: value.texts])
            }
        }
        guard !batches.allSatisfy(table.accepts) else { return }
        // Settings that exclude each other may all be there, in different sections.
        let byLine = values.map { (line: document.line(of: $0.place) ?? 0, value: $0) }.sorted { $0.line < $1.line }
        for (_, value) in byLine {
            if let reason = table.fault(of: value.key, value.texts) { throw fault(value.place, reason) }
        }
    }

    private func values(_ json: JSONValue, at path: [String]) throws(ConfigurationError) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for member in try members(json, at: path, "settings by their names") where member.value != .null {
            try read(member, at: path, into: &values)
        }
        return values
    }

    private func read(
        _ member: JSONValue.Member, at path: [String], into values: inout [String: [String]]
    ) throws(ConfigurationError) {
        let place = path + [member.name]
        if SettingsTable.objects.contains(member.name) {
            for inner in try members(member.value, at: place, "an object of values by their names") {
                let key = "\(member.name).\(inner.name)"
                values[key] = try checked(key, inner.value, at: place + [inner.name])
            }
            return
        }
        guard table[member.name] != nil, !member.name.contains(".") else {
            // Most likely a typing error: ignoring it would leave out a setting that the user relies on.
            let others = path.isEmpty ? ["providers", "profiles", "profile"] : []
            throw fault(place, table.unknown(member.name, besides: others), isNamed: true)
        }
        values[member.name] = try checked(member.name, member.value, at: place)
    }

    private func checked(
        _ key: String, _ json: JSONValue, at place: [String]
    ) throws(ConfigurationError) -> [String] {
        var texts: [String] = []
        for value in json.elements ?? [json] {
            switch value {
            case .text(let text): texts.append(text)
            case .number(let text): texts.append(text)
            case .boolean(let flag): texts.append("\(flag)")
            case .null, .array, .object:
                throw fault(place, "found \(value.kind) (expected text, a number, true or false)")
            }
        }
        if let reason = table.faultOfShape(of: key, texts) { throw fault(place, reason) }
        return texts
    }

    private func members(
        _ json: JSONValue, at path: [String], _ expected: String
    ) throws(ConfigurationError) -> [JSONValue.Member] {
        guard let members = json.members else { throw fault(path, "found \(json.kind) (expected \(expected))") }
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            throw fault(path + [member.name], "given twice")
        }
        return members
    }

    private func fault(_ path: [String], _ reason: String, isNamed: Bool = false) -> ConfigurationError {
        let place = document.line(of: path).map { "line \($0): " } ?? ""
        let key = path.isEmpty || isNamed && path.count == 1 ? "" : "\(path.joined(separator: ".")): "
        return ConfigurationError(path: self.path, reason: place + key + reason)
    }
}

/// The file's text and what is changed in it; what it does not know stays as it is.
struct SettingsDocument {
    let path: String
    private(set) var root: JSONValue
    /// The text without comments, in which each value is at its place.
    private let bytes: [UInt8]
    private let hasComments: Bool

    /// Reads a file; an empty object where there is none.
    init(path: String) throws(ConfigurationError) {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 || errno == ENOENT || errno == ENOTDIR else { throw .system(path) }
        guard descriptor >= 0 else {
            (bytes, root, hasComments) = ([], .object([]), false)
            return
        }
        defer { close(descriptor) }
        guard let text = descriptor.readToEnd(limit: 1 << 20) else { throw .system(path) }
        let comments = JSONComments(text)
        (bytes, hasComments) = (comments.json, comments.areThere)
        // An empty file has no settings, and is most likely to get some.
        guard bytes.contains(where: { $0 > 0x20 }) else {
            root = .object([])
            return
        }
        do throws(InvalidJSON) { root = try JSONValue(parsing: bytes) } catch {
            throw ConfigurationError(path: path, reason: "invalid JSON: \(error.located(in: bytes))")
        }
        guard root.members != nil else {
            throw ConfigurationError(path: path, reason: "found \(root.kind) (expected one JSON object)")
        }
    }

    /// The members that lead to a key: the names of providers and profiles may have no dot, those of parameters may.
    static func path(of key: String) -> [String] {
        var parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var path: [String] = []
        while let part = parts.first {
            parts.removeFirst()
            path.append(part)
            if ["profiles", "providers"].contains(part), !parts.isEmpty { path.append(parts.removeFirst()) }
            if SettingsTable.objects.contains(part), !parts.isEmpty { return path + [parts.joined(separator: ".")] }
        }
        return path
    }

    /// The value at a path.
    func value(at path: [String]) -> JSONValue? { path.reduce(root as JSONValue?) { $0?[$1] } }

    /// Puts a value at a path, or takes away what is there for nil, and objects that become empty with it.
    mutating func set(_ value: JSONValue?, at path: [String]) {
        root = Self.setting(value, at: path[...], in: root) ?? .object([])
    }

    private static func setting(_ value: JSONValue?, at path: ArraySlice<String>, in json: JSONValue) -> JSONValue? {
        guard let name = path.first else { return value }
        var members = json.members ?? []
        let index = members.firstIndex { $0.name == name }
        let inner = index.map { members[$0].value } ?? .object([])
        let changed = setting(value, at: path.dropFirst(), in: inner)
        switch (index, changed) {
        case (let index?, let changed?): members[index].value = changed
        case (let index?, nil): members.remove(at: index)
        case (nil, let changed?): members.append(.init(name, changed))
        case (nil, nil): break
        }
        return members.isEmpty ? nil : .object(members)
    }

    /// Replaces the file in one step; a new one is the user's alone, since a proxy's address may have a password.
    func write() throws(ConfigurationError) {
        guard !hasComments else {
            throw ConfigurationError(
                path: path,
                reason: "its comments would be lost (expected a file without any, or a change in an editor)",
                action: "change")
        }
        // The file may be a link into a folder of settings that the user keeps elsewhere.
        let target =
            realpath(path, nil).map { resolved in
                defer { free(resolved) }
                return String(cString: resolved)
            } ?? path
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o600
        let code = AtomicFile.write(Array("\(root.pretty)\n".utf8), to: target, mode: mode)
        if code == ELOOP {
            throw ConfigurationError(path: path, reason: "it is a symbolic link to nothing (expected a link to a file)")
        }
        guard code == 0 else { throw .system(path, code, "write") }
    }

    /// The line at which a member stands; nil where there is none.
    func line(of path: [String]) -> Int? {
        // What cannot be read was reported before.
        guard !path.isEmpty, var reader = try? JSONReader(bytes), let place = try? Self.place(of: path, in: &reader)
        else { return nil }
        return Self.line(at: place, in: bytes)
    }

    private static func place(of path: [String], in reader: inout JSONReader) throws(InvalidJSON) -> Int? {
        var place: Int?
        for name in path {
            guard reader.take("{"), let next = try member(name, in: &reader) else { return nil }
            place = next
        }
        return place
    }

    /// Where an object's member begins; the reader stands at its value.
    private static func member(_ name: String, in reader: inout JSONReader) throws(InvalidJSON) -> Int? {
        repeat {
            guard reader.peek() == UInt8(ascii: "\"") else { return nil }
            let place = reader.position
            if try reader.memberName() == name { return place }
            try reader.skip()
        } while reader.take(",")
        return nil
    }

    private static func line(at place: Int, in bytes: [UInt8]) -> Int {
        1 + bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    }
}

/// Why the settings cannot be used.
struct ConfigurationError: Error, CustomStringConvertible {
    /// The file, or the variable of the environment; empty for a name that was typed.
    let path: String
    let reason: String
    /// The step that failed.
    var action = "use"

    var description: String { path.isEmpty ? reason : "could not \(action) \(path): \(reason)" }

    /// An error of the system.
    static func system(_ path: String, _ code: Int32 = errno, _ action: String = "read") -> ConfigurationError {
        ConfigurationError(path: path, reason: "could not \(action) it: \(String(cString: strerror(code)))")
    }
}
