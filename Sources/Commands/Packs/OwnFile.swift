import FoundationEssentials
import Glibc
import Packs

/// Files that a command writes for its user: never over another unless that is what was asked for.
enum OwnFile {
    /// Refuses a path that something lies at.
    static func checkFree(_ path: String) throws(PackError) {
        var facts = stat()
        guard lstat(path, &facts) != 0 else {
            throw PackError(.file, "\(path) is there already", hint: "move it away, or choose another place")
        }
    }

    /// Makes the folder that a path lies in, with those above it.
    static func makeFolder(of path: String) throws(PackError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        do {
            try FileManager.default.createDirectory(atPath: String(path[..<slash]), withIntermediateDirectories: true)
        } catch { throw PackError(.file, "\(path[..<slash]) cannot be made: \(error.systemReason)") }
    }

    /// Writes a new file with the folders above it.
    static func write(_ text: String, to path: String) throws(PackError) {
        try checkFree(path)
        try makeFolder(of: path)
        try replace(path, with: text)
    }

    /// Writes a file in one step, in place of one that may be there.
    static func replace(_ path: String, with text: String) throws(PackError) {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw PackError(.file, "\(path) cannot be written: \(error.systemReason)")
        }
    }
}
