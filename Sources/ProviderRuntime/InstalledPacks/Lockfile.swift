import FoundationEssentials
import Glibc
import ProviderModel

/// What `imgscript.lock` says: which packs are used, where they came from, and what each provider may do.
///
/// JSON with sorted keys, one value a line, so that people can read it in a diff.
package struct Lockfile: Codable, Hashable, Sendable {
    /// The form of the file that this program writes.
    package static let currentForm = 1
    /// The file's name.
    package static let fileName = "imgscript.lock"

    /// The form of the file.
    package var lockfile: Int
    /// The packs by name.
    package var packs: [String: LockedPack]

    /// A lockfile with packs.
    package init(packs: [String: LockedPack] = [:]) {
        lockfile = Self.currentForm
        self.packs = packs
    }

    /// Reads a lockfile; nil when there is none.
    package init?(path: String) throws(LockfileError) {
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw LockfileError(path: path, reason: "it cannot be read")
        }
        do {
            let form = try JSONDecoder().decode(Form.self, from: data).lockfile
            // Before anything else is looked for: another form may say it all in another way.
            guard form == Self.currentForm else { throw LockfileError(path: path, form: form) }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw LockfileError(path: path, reason: Self.reason(of: error))
        } catch let error as LockfileError {
            throw error
        } catch {
            throw LockfileError(path: path, reason: "\(error)")
        }
        for (name, pack) in packs {
            guard let fault = pack.fault(as: name) else { continue }
            throw LockfileError(path: path, reason: "packs.\(name): \(fault)")
        }
    }

    /// The file's text.
    package var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Foundation's own layout has a space before each colon, and empty lists on three lines.
            return try JSONValue(parsing: encoder.encode(self)).pretty + "\n"
        }
    }

    /// What every form of the file says first.
    private struct Form: Decodable {
        let lockfile: Int
    }

    private static func reason(of error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context): "\(place(context.codingPath)) is not \(words(for: type))"
        case .valueNotFound(let type, let context): "\(place(context.codingPath)) is not \(words(for: type))"
        case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is not JSON"
        case .dataCorrupted(let context): "\(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "it" : "“\(path.map(\.stringValue).joined(separator: "."))”"
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is Int.Type: "a number"
        case is String.Type: "a text"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

/// Why a lockfile cannot be used.
package struct LockfileError: Error, Hashable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What was found and what was expected.
    package let reason: String
    /// What to do next.
    package let hint: String

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
        hint = "fix it, or remove it and install the packs again"
    }

    /// The error of a file in another form than this program's.
    init(path: String, form: Int) {
        self.path = path
        reason = "it has the form \(form), and this imgscript reads the form \(Lockfile.currentForm)"
        hint =
            form > Lockfile.currentForm
            ? "a newer imgscript wrote it, and takes it" : "remove it, and install the packs again"
    }

    package var description: String { "\(path) cannot be used: \(reason); \(hint)" }
}
