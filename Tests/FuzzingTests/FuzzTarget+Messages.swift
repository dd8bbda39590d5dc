import ProviderModel
import WorkerProtocol

/// Messages between the processes: the kind, then the payload.
extension FuzzTarget {
    static func readHostMessage(_ bytes: [UInt8]) throws(BrokenPromise) {
        try read(bytes) { kind, payload throws(WireError) in try HostMessage(kind: kind, payload: payload).frame }
    }

    static func readWorkerMessage(_ bytes: [UInt8]) throws(BrokenPromise) {
        try read(bytes) { kind, payload throws(WireError) in try WorkerMessage(kind: kind, payload: payload).frame }
    }

    /// What was read is written as a frame that reads the same.
    private static func read(
        _ bytes: [UInt8], frame: (UInt8, [UInt8]) throws(WireError) -> [UInt8]
    ) throws(BrokenPromise) {
        if let header = try? FrameHeader(Array(bytes.prefix(FrameHeader.size))) {
            try require((0...FrameHeader.maximumLength).contains(header.length), "a frame is within its limit")
        }
        guard let kind = bytes.first, let written = attempt(kind, Array(bytes.dropFirst()), frame) else { return }
        let payload = Array(written.dropFirst(FrameHeader.size))
        // A frame that is longer than any may be has no header.
        guard let header = try? FrameHeader(Array(written.prefix(FrameHeader.size))) else { return }
        try require(header.length == payload.count, "the header of a frame says how long it is")
        try require(
            attempt(kind, payload, frame) == written, "what was read is written as something that reads the same")
    }

    private static func attempt(
        _ kind: UInt8, _ payload: [UInt8], _ frame: (UInt8, [UInt8]) throws(WireError) -> [UInt8]
    ) -> [UInt8]? {
        do throws(WireError) { return try frame(kind, payload) } catch { return nil }  // that is no message
    }
}
