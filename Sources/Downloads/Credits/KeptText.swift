/// A text of a credit as its bytes lie there, and what they may stand for themselves in.
struct KeptText {
    let bytes: UnsafeBufferPointer<UInt8>
    let uses: TextUses

    /// A text with what its bytes may stand for.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ uses: TextUses) { (self.bytes, self.uses) = (bytes, uses) }

    /// A text, all of whose bytes are looked at.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, TextUses(of: bytes)) }

    /// The text as one of its own.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
