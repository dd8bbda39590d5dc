import ProviderModel
import TestSupport
import Testing
import WorkerProtocol

@Suite("Messages survive the pipe, and broken ones do no harm")
struct MessageTests {
    @Test(arguments: 0..<20)
    func messageArrivesAsItWasSent(_ seed: UInt64) throws {
        var messages = RandomMessages(seed: seed)
        for _ in 0..<50 {
            let host = messages.hostMessage().frame
            #expect(try read(host, as: .host) == host)
            let worker = messages.workerMessage().frame
            #expect(try read(worker, as: .worker) == worker)
        }
    }

    @Test(arguments: 0..<10)
    func messageCutShortIsAnError(_ seed: UInt64) {
        var messages = RandomMessages(seed: 100 + seed)
        for (frame, side) in [(messages.hostMessage().frame, Side.host), (messages.workerMessage().frame, .worker)] {
            for length in FrameHeader.size..<frame.count {
                #expect(throws: WireError.self) { try read(Array(frame[..<length]), as: side) }
            }
        }
    }

    @Test(arguments: 0..<20)
    func messageWithFlippedBitsIsReadOrRefused(_ seed: UInt64) {
        var (messages, generator) = (RandomMessages(seed: 200 + seed), SeededGenerator(seed: seed))
        for _ in 0..<200 {
            for (original, side) in [
                (messages.hostMessage().frame, Side.host), (messages.workerMessage().frame, .worker),
            ] {
                var frame = original
                for _ in 0...Int.random(in: 0...3, using: &generator) {
                    let index = Int.random(in: (FrameHeader.size - 1)..<frame.count, using: &generator)
                    frame[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                }
                expectMessageOrError(frame, as: side)
            }
        }
    }

    @Test(arguments: 0..<20)
    func randomBytesAreReadOrRefused(_ seed: UInt64) {
        var generator = SeededGenerator(seed: 300 + seed)
        for _ in 0..<500 {
            let kind = UInt8(
                [1, 2, 3, 4, 5, 6, 7, 8, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 0, 255].randomElement(
                    using: &generator) ?? 0)
            let count = Int.random(in: 0...64, using: &generator)
            // Small numbers lead deeper into a message than even chances do.
            let bytes = (0..<count).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &generator) ? 3 : 255), using: &generator)
            }
            expectMessageOrError([0, 0, 0, 0, kind] + bytes, as: kind < 64 ? .host : .worker)
        }
    }

    @Test(arguments: [UInt64.max, UInt64(Int.max), 1 << 62, 1 << 40, 1 << 32])
    func lengthBeyondTheMessageIsTooShort(_ length: UInt64) {
        var writer = ByteWriter()
        writer.write(unsigned: length)
        var reader = ByteReader(writer.bytes)
        #expect(throws: WireError.truncated) { _ = try reader.read(String.self) }
        reader = ByteReader(writer.bytes)
        #expect(throws: WireError.truncated) { _ = try reader.readBytes() }
        reader = ByteReader(writer.bytes)
        #expect(throws: WireError.truncated) { _ = try reader.read([String].self) }
    }

    @Test func numberWithoutEndIsRefused() {
        var reader = ByteReader([UInt8](repeating: 0xff, count: 20))
        #expect(throws: WireError.self) { _ = try reader.readUnsigned() }
        reader = ByteReader([UInt8](repeating: 0x80, count: 20))
        #expect(throws: WireError.self) { _ = try reader.readUnsigned() }
    }

    @Test(arguments: 0..<20)
    func resultIsTheSameOnBothSides(_ seed: UInt64) throws {
        var messages = RandomMessages(seed: 400 + seed)
        for _ in 0..<20 {
            let sent = EncodedResult(.page(messages.page()))
            var writer = ByteWriter()
            writer.write(sent)
            var reader = ByteReader(writer.bytes)
            let received: EncodedResult = try reader.read()
            #expect(received.result == sent.result && received.json == sent.json)
        }
    }

    @Test(arguments: [
        ("7", "expected a page: an object with items, found 7"),
        (#"{"items":[{"id":"1"}]}"#, "items[0].media: expected an array of media, found nothing"),
        (#"{"items":[],"more":1}"#, "more: expected items, total, received and next, found \"more\""),
        (
            #"{"items":[{"id":"1","type":"image","media":[{"role":"large","url":"x"}]}]}"#,
            "items[0].media[0].url: expected an absolute URL, found \"x\""
        ),
        (#"{"items":[]"#, "expected \",\" or \"}\" at byte 11"), (#"{"items":[]}]"#, "expected the end at byte 12"),
        ("{\"items\":[]\u{FFFF}", "expected \",\" or \"}\" at byte 11"),
    ])
    func pageThatIsNoneIsRefused(_ json: String, _ message: String) {
        var writer = ByteWriter()
        writer.write(byte: 0)
        writer.write(json)
        var reader = ByteReader(writer.bytes)
        let error = #expect(throws: WireError.self) { _ = try reader.read(EncodedResult.self) }
        #expect(error?.description == message)
    }

    @Test func pageOfTooManyItemsIsRefused() {
        let items = Array(repeating: #"{"id":"1","type":"image","media":[]}"#, count: Page.maximumItemCount + 1)
        var writer = ByteWriter()
        writer.write(byte: 0)
        writer.write("{\"items\":[\(items.joined(separator: ","))]}")
        var reader = ByteReader(writer.bytes)
        #expect(throws: WireError.malformed("items: expected at most 10000 elements, found more")) {
            _ = try reader.read(EncodedResult.self)
        }
    }

    @Test func frameThatIsTooLongIsRefusedBeforeItIsRead() {
        #expect(throws: WireError.oversized(Int(UInt32.max))) { _ = try FrameHeader([255, 255, 255, 255, 69]) }
        #expect(throws: WireError.truncated) { _ = try FrameHeader([1, 2]) }
    }

    @Test func otherVersionIsNamed() {
        var status = WorkerStatus(sandbox: [])
        status.version = 99
        let frame = WorkerMessage.ready(status).frame
        #expect(throws: WireError.version(found: 99)) { try read(frame, as: .worker) }
    }

    private enum Side { case host, worker }

    @discardableResult
    private func read(_ frame: [UInt8], as side: Side) throws(WireError) -> [UInt8] {
        let payload = Array(frame[FrameHeader.size...])
        let kind = frame[FrameHeader.size - 1]
        switch side {
        case .host: return try HostMessage(kind: kind, payload: payload).frame
        case .worker: return try WorkerMessage(kind: kind, payload: payload).frame
        }
    }

    /// A trap would end the tests; nothing else may happen but an error of the wire or a message that can be sent again.
    private func expectMessageOrError(_ frame: [UInt8], as side: Side) {
        do throws(WireError) {
            let again = try read(frame, as: side)
            #expect(again.count >= FrameHeader.size)
        } catch {
            #expect(!error.description.isEmpty)
        }
    }
}
