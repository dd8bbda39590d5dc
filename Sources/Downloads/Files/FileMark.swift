import CFiles

/// The note in a file's extended attributes that says which media it is; several where files share their content.
enum FileMark {
    private static let name = "user.imgscript.media"
    private static let limit = 2_048

    /// The keys of an open file.
    static func keys(of descriptor: Int32) -> [MediaKey] {
        var value = [UInt8](repeating: 0, count: limit)
        let count = cfiles_get_attribute(descriptor, name, &value, value.count)
        guard count > 0 else { return [] }
        return value[..<count].split(separator: 0x0a).map { MediaKey(stored: String(decoding: $0, as: UTF8.self)) }
    }

    /// Adds a key; what does not fit, or a file system that has no attributes, does no harm.
    static func add(_ key: MediaKey, to descriptor: Int32) {
        let known = keys(of: descriptor)
        guard !known.contains(key) else { return }
        set(known + [key], of: descriptor)
    }

    static func set(_ keys: [MediaKey], of descriptor: Int32) {
        var text = keys.count == 1 ? keys[0].description : keys.map(\.description).joined(separator: "\n")
        guard text.utf8.count <= limit else { return }
        text.withUTF8 { _ = cfiles_set_attribute(descriptor, name, $0.baseAddress, $0.count) }
    }
}
