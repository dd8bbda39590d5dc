import CSystemCalls
import Glibc

/// A line of the extended attribute that says which media a file is.
///
/// A file that shares its content with others by hard links has a line for each of its names, since the attribute is the same
/// for all of them.
struct FileMark: Hashable, Sendable {
    let key: MediaKey
    /// The name under which the file is this media; nil for every name.
    var name: String?

    /// Whether a file with this mark is this media under this name.
    func names(_ key: MediaKey, as name: String) -> Bool { self.key == key && (self.name ?? name) == name }

    private static let attribute = "user.imgscript.media"
    /// The length of all lines that every file system takes.
    private static let limit = 2_048

    /// The marks of an open file.
    static func all(of descriptor: Int32) -> [FileMark] {
        var value = [UInt8](repeating: 0, count: limit)
        let count = get_attribute(descriptor, attribute, &value, value.count)
        guard count > 0 else { return [] }
        return value[..<count].split(separator: 0x0a).map { line in
            let parts = line.split(separator: 0x09, maxSplits: 1)
            return FileMark(
                key: MediaKey(stored: String(decoding: parts.first ?? [], as: UTF8.self)),
                name: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil)
        }
    }

    /// The marks of a file of this name when it gets another one: each with its name.
    static func named(_ known: [FileMark], _ name: String, adding mark: FileMark) -> [FileMark] {
        let others = known.map { FileMark(key: $0.key, name: $0.name ?? name) }
        return others.contains(mark) ? others : others + [mark]
    }

    /// Whether a file can have all of these marks.
    static func fit(_ marks: [FileMark]) -> Bool { text(of: marks).utf8.count <= limit }

    /// Marks a file with what it is; a file system without attributes is no error.
    static func set(_ marks: [FileMark], of descriptor: Int32) {
        var text = text(of: marks)
        guard text.utf8.count <= limit else { return }
        text.withUTF8 { _ = set_attribute(descriptor, attribute, $0.baseAddress, $0.count) }
    }

    private static func text(of marks: [FileMark]) -> String {
        marks.map { mark in mark.name.map { "\(mark.key)\t\($0)" } ?? "\(mark.key)" }.joined(separator: "\n")
    }
}
