/// A result as it goes on the pipe.
package struct WrittenResult {
    /// The message `WorkerMessage.finished` with it.
    package let frame: [UInt8]

    /// Writes a result.
    package init(_ result: OperationResult) { frame = WorkerMessage.finished(result).frame }

    private init(frame: [UInt8]) { self.frame = frame }

    /// A page that `write` writes as `Page` does, of about `capacity` bytes.
    package static func page<Failure: Error>(
        capacity: Int, _ write: (inout ByteWriter) throws(Failure) -> Void
    ) throws(Failure) -> WrittenResult {
        let kind = WorkerMessage.finishedKind
        let frame = try FrameHeader.frame(kind: kind, capacity: capacity) { writer throws(Failure) in
            writer.write(OperationResult.pageKind)
            try write(&writer)
        }
        return WrittenResult(frame: frame)
    }

    /// The result itself.
    package func result() throws(WireError) -> OperationResult {
        var reader = ByteReader(Array(frame.dropFirst(FrameHeader.size)))
        return try reader.read()
    }
}
