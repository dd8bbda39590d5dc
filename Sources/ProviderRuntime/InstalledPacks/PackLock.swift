import FoundationEssentials
import Glibc

/// What `imgscript.lock` says: which packs are used, where they came from, and what each was granted.
///
/// JSON with sorted keys, one value a line, so that people can read it in a diff.
package struct PackLock: Codable, Hashable, Sendable {
    /// The form of the file that this program writes.
    package static let currentForm = 1
    /// The file's name.
    package static let fileName = "imgscript.lock"

    /// The form of the file.
    package var lockfile: Int
    /// The packs by name.
    package var packs: [String: LockedPack]

    /// A lock over packs.
    package init(packs: [String: LockedPack] = [:]) {
        lockfile = Self.currentForm
        self.packs = packs
    }

    /// Reads a lockfile; nil when there is none.
    package init?(path: String) throws(PackLockError) {
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw PackLockError(path: path, reason: "it is no file that can be read")
        }
        do {
            let form = try JSONDecoder().decode(Form.self, from: data).lockfile
            // Before anything else is looked for: another form may say it all in another way.
            guard form == Self.currentForm else { throw PackLockError(path: path, form: form) }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw PackLockError(path: path, reason: Self.reason(of: error))
        } catch let error as PackLockError {
            throw error
        } catch {
            throw PackLockError(path: path, reason: "\(error)")
        }
        for (name, pack) in packs {
            guard let fault = pack.fault(as: name) else { continue }
            throw PackLockError(path: path, reason: "packs.\(name): \(fault)")
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
        case .dataCorrupted: "it is no JSON"
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
package struct PackLockError: Error, Hashable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What was found and what was expected.
    package let reason: String
    /// What to do next.
    package let hint: String

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
        hint = "mend it, or remove it and install the packs again"
    }

    /// The error of a file in another form than this program's.
    init(path: String, form: Int) {
        self.path = path
        reason = "it has the form \(form), and this imgscript reads the form \(PackLock.currentForm)"
        hint =
            form > PackLock.currentForm
            ? "a newer imgscript wrote it, and takes it" : "remove it, and install the packs again"
    }

    package var description: String { "\(path) cannot be used: \(reason); \(hint)" }
}
