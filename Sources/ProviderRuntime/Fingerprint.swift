import Crypto

/// A digest over parts that cannot run into each other.
struct Fingerprint {
    private var digest = SHA256()

    init() {}

    /// The digest of one text.
    init(of text: String) { add(text) }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ part: [UInt8]) {
        withUnsafeBytes(of: part.count.littleEndian) { digest.update(bufferPointer: $0) }
        digest.update(data: part)
    }

    var bytes: [UInt8] { Array(digest.finalize()) }

    var hexadecimal: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
