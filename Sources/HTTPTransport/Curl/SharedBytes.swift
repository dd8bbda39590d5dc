/// Bytes in one place, for libcurl to read as long as this lives: a file of all certificates is too large for a copy in
/// each of some hundred handles.
final class SharedBytes {
    let buffer: UnsafeRawBufferPointer

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        buffer = UnsafeRawBufferPointer(copy)
    }

    deinit { buffer.deallocate() }
}
