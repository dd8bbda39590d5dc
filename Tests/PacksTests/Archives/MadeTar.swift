@testable import Packs

/// A tar archive of anything, valid or not.
struct MadeTar {
    private var bytes: [UInt8] = []

    /// A valid pack.
    static func pack(_ manifest: String = MadePack.manifest) -> MadeTar {
        var tar = MadeTar()
        tar.add("package/package.json", manifest)
        tar.add("package/dogs.js", MadePack.provider)
        return tar
    }

    /// Adds an entry; `announced` is the size that its header gives, `checksum` what is added to its sum.
    mutating func add(
        _ name: [UInt8], _ content: String = "", type: Unicode.Scalar = "0", link: String = "", announced: Int? = nil,
        checksum: Int = 0
    ) {
        let body = Array(content.utf8)
        var block = [UInt8](repeating: 0, count: 512)
        func put(_ field: some Sequence<UInt8>, _ offset: Int) {
            for (index, byte) in field.enumerated() { block[offset + index] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> [UInt8] {
            let text = String(number, radix: 8)
            return Array((String(repeating: "0", count: digits - text.count) + text).utf8)
        }
        put(name.prefix(100), 0)
        put(octal(0o777, 7), 100)
        put(octal(0, 7), 108)
        put(octal(0, 7), 116)
        put(octal(announced ?? body.count, 11), 124)
        put(octal(0, 11), 136)
        put(Array(repeating: 0x20, count: 8), 148)
        put(String(type).utf8, 156)
        put(link.utf8.prefix(100), 157)
        put("ustar\u{0}00".utf8, 257)
        put(octal(block.reduce(0) { $0 + Int($1) } + checksum, 6) + [0, 0x20], 148)
        bytes += block + body + [UInt8](repeating: 0, count: (512 - body.count % 512) % 512)
    }

    mutating func add(
        _ name: String, _ content: String = "", type: Unicode.Scalar = "0", link: String = "", announced: Int? = nil,
        checksum: Int = 0
    ) {
        add(Array(name.utf8), content, type: type, link: link, announced: announced, checksum: checksum)
    }

    /// Adds a name of any length and letters, in a header of its own.
    mutating func addExtended(_ records: String, name: String, _ content: String, type: Unicode.Scalar = "0") {
        add("PaxHeader", records, type: "x")
        add(name, content, type: type)
    }

    /// The tar archive, with its end mark.
    var tar: [UInt8] { bytes + [UInt8](repeating: 0, count: 1_024) }
    /// The tar archive without one.
    var unended: [UInt8] { bytes }
    /// As it is published.
    var archive: [UInt8] { Self.compressed(tar) }

    /// Bytes in a gzip file.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        do { return try Gzip.compress(bytes) } catch { preconditionFailure("\(error)") }
    }
}
