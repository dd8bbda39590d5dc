import Foundation

/// A tar archive as an attacker writes it: any name, any kind, no check (POSIX.1-1988 ustar).
package struct TarFile {
    /// One entry.
    package struct Entry: Sendable {
        let name: [UInt8]
        let content: [UInt8]
        let kind: Character
        let target: String

        /// A file; `isLatin` writes its name in ISO 8859-1.
        package static func file(_ name: String, _ content: String = "", isLatin: Bool = false) -> Entry {
            let bytes = isLatin ? name.unicodeScalars.map { UInt8($0.value) } : Array(name.utf8)
            return Entry(name: bytes, content: Array(content.utf8), kind: "0", target: "")
        }

        /// Anything else, by its type flag: 1 a hard link, 2 a symbolic one, 3 a device, 6 a pipe.
        package static func link(_ name: String, to target: String, kind: Character) -> Entry {
            Entry(name: Array(name.utf8), content: [], kind: kind, target: target)
        }
    }

    /// The entries.
    package let entries: [Entry]

    /// These entries.
    package init(entries: [Entry]) { self.entries = entries }

    /// The files of a folder, under another name.
    package init(folder: String, under name: String) {
        entries = FolderListing.allFiles(under: folder).sorted().map { path in
            let content = String(decoding: FolderListing.bytes(of: path), as: UTF8.self)
            return .file(name + path.dropFirst(folder.count), content)
        }
    }

    /// The archive.
    package var bytes: [UInt8] {
        entries.flatMap { entry in
            let padding = (512 - entry.content.count % 512) % 512
            return Self.header(entry) + entry.content + [UInt8](repeating: 0, count: padding)
        } + [UInt8](repeating: 0, count: 1_024)
    }

    private static func header(_ entry: Entry) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ bytes: some Sequence<UInt8>, at start: Int) {
            for (index, byte) in bytes.enumerated() { header[start + index] = byte }
        }
        func octal(_ number: Int, _ width: Int) -> [UInt8] {
            let digits = String(number, radix: 8)
            return Array((String(repeating: "0", count: width - digits.count) + digits).utf8)
        }
        put(entry.name.prefix(100), at: 0)
        put(octal(0o644, 7), at: 100)
        put(octal(0, 7), at: 108)
        put(octal(0, 7), at: 116)
        put(octal(entry.content.count, 11), at: 124)
        put(octal(0, 11), at: 136)
        put(Array("        ".utf8), at: 148)
        put(String(entry.kind).utf8, at: 156)
        put(entry.target.utf8.prefix(100), at: 157)
        put("ustar\u{0}00".utf8, at: 257)
        put(octal(1, 7), at: 329)
        put(octal(3, 7), at: 337)
        put(octal(header.reduce(0) { $0 + Int($1) }, 6) + [0, 0x20], at: 148)
        return header
    }
}
