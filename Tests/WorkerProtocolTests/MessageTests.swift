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
        writer.write(length)
        var reader = ByteReader(writer.bytes)
        #expect(throws: WireError.truncated) { _ = try reader.readString() }
        reader = ByteReader(writer.bytes)
        #expect(throws: WireError.truncated) { _ = try reader.readBytes() }
        reader = ByteReader(writer.bytes)
        #expect(throws: WireError.truncated) { _ = try reader.readStrings() }
    }

    @Test func numberWithoutEndIsRefused() {
        var reader = ByteReader([UInt8](repeating: 0xff, count: 20))
        #expect(throws: WireError.self) { _ = try reader.readUnsigned() }
        reader = ByteReader([UInt8](repeating: 0x80, count: 20))
        #expect(throws: WireError.self) { _ = try reader.readUnsigned() }
    }

    @Test(
        arguments: [
            ([WireField.Item.type.rawValue, 0, 0], "an item without id or type"),
            ([WireField.Item.id.rawValue, 1, 0x37, 0], "an item without id or type"),
            ([17], "field 17 of Item"), ([WireField.Item.type.rawValue, 2], "case 2 of Kind"),
            ([WireField.Item.media.rawValue, 1, 0, 0, 0, 0], "media without role or url"),
            ([WireField.Item.media.rawValue, 1, 0, 0, 0, WireField.Media.role.rawValue, 5], "case 5 of Role"),
            ([WireField.Item.tags.rawValue, 255, 255, 255, 255, 0], "a message that ends too early"),
        ] as [([UInt8], String)])
    func itemThatIsNoneIsRefused(_ bytes: [UInt8], _ message: String) {
        var reader = ByteReader(bytes)
        let error = #expect(throws: WireError.self) { _ = try WireItem(from: &reader) }
        #expect(error?.description == message)
    }

    @Test func partsComeInAnyOrder() throws {
        var writer = ByteWriter()
        writer.write(WireField.Item.type.rawValue)
        writer.write(case: Item.Kind.collection)
        writer.write(WireField.Item.author.rawValue)
        writer.write(WireField.Author.url.rawValue)
        writer.write("https://a.example/ann")
        writer.write(WireField.Author.name.rawValue)
        writer.write("Ann")
        writer.endPart()
        writer.write(WireField.Item.id.rawValue)
        writer.write("7")
        writer.endPart()
        var reader = ByteReader(writer.bytes)
        let item = try WireItem(from: &reader).item
        #expect(item.id == "7" && item.type == .collection)
        #expect(item.author == Author(name: "Ann", url: try WebURL("https://a.example/ann")))
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
