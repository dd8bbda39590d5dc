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
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        } catch let error as DecodingError {
            throw PackLockError(path: path, reason: Self.reason(of: error))
        } catch {
            throw PackLockError(path: path, reason: "it cannot be read (\(error))")
        }
        guard lockfile == Self.currentForm else {
            throw PackLockError(
                path: path, reason: "its form is \(lockfile), expected \(Self.currentForm); a newer imgscript wrote it")
        }
        for (name, pack) in packs {
            guard let fault = pack.fault(as: name) else { continue }
            throw PackLockError(path: path, reason: "packs.\(name): \(fault)")
        }
    }

    private static func reason(of error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")): \(context.debugDescription)"
        case .dataCorrupted: "it is no JSON"
        @unknown default: "\(error)"
        }
    }
}

/// Why a lockfile cannot be used.
package struct PackLockError: Error, Hashable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What was found and what was expected.
    package let reason: String

    package var description: String {
        "\(path) cannot be used: \(reason); mend it, or remove it and install the packs again"
    }
}
