/// The text "hello" as each coding has it, and other packed bytes, written by hand.
enum PackedSample {
    static let hello: [(coding: String, bytes: [UInt8])] = [
        ("gzip", gzip), ("x-gzip", gzip),
        ("deflate", [0x78, 0x01] + stored + [0x06, 0x2c, 0x02, 0x15]), ("deflate", stored),
        ("br", [0x0b, 0x02, 0x80] + text + [0x03]),
        // RFC 8878: magic number, single segment of one byte's length, one raw block that is the last.
        ("zstd", [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x05, 0x29, 0x00, 0x00] + text),
    ]

    static let gzip: [UInt8] = gzipHead + stored + [0x86, 0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00]

    /// A gzip body that never ends and has no content: stored blocks of no bytes.
    static let gzipHead: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    static let emptyBlock: [UInt8] = [0x00, 0x00, 0x00, 0xff, 0xff]

    private static let text = Array("hello".utf8)
    /// RFC 1951 §3.2.4: the last block, five bytes as they are.
    private static let stored: [UInt8] = [0x01, 0x05, 0x00, 0xfa, 0xff] + text
}
