/// What stands before a file in a tar archive: POSIX.1-2017 ustar, with pax records before it where ustar's fields end.
package enum TarHeader {
    /// The unit of an archive: headers and contents begin at its multiples.
    package static let block = 512
    /// Two blocks of zeros end an archive.
    package static let endLength = 1_024

    /// The bytes before a file's content.
    package static func bytes(name: String, size: Int, time: Int) -> [UInt8] {
        var records = ""
        let split = splitName(name)
        if split == nil { records += record("path", name) }
        if size > 0o77777777777 { records += record("size", String(size)) }
        var bytes: [UInt8] = []
        if !records.isEmpty {
            let content = Array(records.utf8)
            bytes = header(("", "pax/header"), size: content.count, time: time, type: "x")
            bytes += content + [UInt8](repeating: 0, count: padding(content.count))
        }
        return bytes + header(split ?? ("", plain(name)), size: size, time: time, type: "0")
    }

    /// The zeros after a content of this length.
    package static func padding(_ length: Int) -> Int { (block - length % block) % block }

    /// An archive of files in their order, with the same mode, owner and time for all: equal files give equal bytes.
    package static func archive(of files: [(path: String, content: [UInt8])], time: Int) -> [UInt8] {
        files.flatMap { file($0.path, $0.content, time: time) } + [UInt8](repeating: 0, count: endLength)
    }

    /// A file as it stands in an archive: header, content and padding.
    package static func file(_ name: String, _ content: [UInt8], time: Int) -> [UInt8] {
        bytes(name: name, size: content.count, time: time) + content
            + [UInt8](repeating: 0, count: padding(content.count))
    }

    /// All a file takes, with its header and padding.
    package static func length(name: String, size: Int) -> Int {
        bytes(name: name, size: size, time: 0).count + size + padding(size)
    }

    /// Names that ustar's two fields can hold as they are: ASCII, cut at a slash.
    private static func splitName(_ name: String) -> (prefix: String, name: String)? {
        let bytes = Array(name.utf8)
        guard bytes.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return nil }
        if bytes.count <= 100 { return ("", name) }
        for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "/") && place > 0 {
            let rest = bytes.count - place - 1
            guard place <= 155 else { return nil }
            if (1...100).contains(rest) {
                return (
                    String(decoding: bytes[..<place], as: UTF8.self),
                    String(decoding: bytes[(place + 1)...], as: UTF8.self)
                )
            }
        }
        return nil
    }

    /// What programs see that do not know pax.
    private static func plain(_ name: String) -> String {
        let bytes = name.utf8.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "_") }
        return String(decoding: bytes.suffix(100), as: UTF8.self)
    }

    /// `27 path=…\n`: the number counts the whole record, itself too.
    private static func record(_ name: String, _ value: String) -> String {
        let rest = " \(name)=\(value)\n"
        var length = rest.utf8.count + 1
        while rest.utf8.count + String(length).count != length { length = rest.utf8.count + String(length).count }
        return "\(length)\(rest)"
    }

    private static func header(
        _ path: (prefix: String, name: String), size: Int, time: Int, type: Unicode.Scalar
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at offset: Int) {
            for (place, byte) in text.utf8.enumerated() { header[offset + place] = byte }
        }
        func put(_ number: Int, _ width: Int, at offset: Int) {
            let digits = String(max(number, 0), radix: 8)
            put(String(repeating: "0", count: max(width - digits.count, 0)) + digits, at: offset)
        }
        put(path.name, at: 0)
        put(0o644, 7, at: 100)
        put(0, 7, at: 108)
        put(0, 7, at: 116)
        // What is too large stands in the pax record alone.
        put(size > 0o77777777777 ? 0 : size, 11, at: 124)
        put(min(time, 0o77777777777), 11, at: 136)
        put("        ", at: 148)
        header[156] = UInt8(ascii: type)
        put("ustar", at: 257)
        put("00", at: 263)
        put(0, 7, at: 329)
        put(0, 7, at: 337)
        put(path.prefix, at: 345)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(sum, 6, at: 148)
        header[154] = 0
        return header
    }
}
