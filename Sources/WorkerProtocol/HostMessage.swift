import ProviderModel

/// A message from the host to a worker.
package enum HostMessage {
    /// The provider's file: the first message of all.
    case load(file: String, source: String, limits: WorkerLimits)
    /// The answer to `WorkerMessage.moduleNeeded`: the module's source, or why there is none.
    case module(ModuleReply)
    /// Starts an operation under a number of the host's choice. Several may be under way: while one waits for the
    /// network, others go on.
    case call(run: Int, EncodedCall)
    /// The answers to `WorkerMessage.requests`, in their order.
    case responses(run: Int, [ProviderResponse])
    /// Cancels an operation. Has no reply.
    case abandon(run: Int)
    /// The test file of the provider that is loaded.
    case loadTests(TestFileSource)
    /// Runs the test with this index among those the file has.
    case runTest(Int)
    /// The answer to `WorkerMessage.asked`.
    case answer(TestAnswer)
    /// Counts what is executed in files loaded from now on; the text is that of the parser acorn.
    case cover(parser: String)
    /// Requests the counts.
    case reportCoverage

    /// The reply to a script's request for a module.
    package enum ModuleReply: Hashable, Sendable {
        case source(file: String, text: String)
        case missing(String)
    }

    /// The message as it goes on the pipe.
    package var frame: [UInt8] {
        FrameHeader.frame(kind: kind, capacity: capacity) { payload in
            switch self {
            case .load(let file, let source, let limits):
                payload.write(file)
                payload.write(source)
                payload.write(limits)
            case .module(.source(let file, let text)):
                payload.write(true)
                payload.write(file)
                payload.write(text)
            case .module(.missing(let why)):
                payload.write(false)
                payload.write(why)
            case .call(let run, let call):
                payload.write(run)
                payload.write(call)
            case .responses(let run, let responses):
                payload.write(run)
                payload.write(responses)
            case .abandon(let run): payload.write(run)
            case .loadTests(let file): payload.write(file)
            case .runTest(let index): payload.write(index)
            case .answer(let answer): payload.write(answer)
            case .cover(let parser): payload.write(parser)
            case .reportCoverage: break
            }
        }
    }

    /// About as many bytes as it has: the bodies, and for each of them the headers.
    private var capacity: Int {
        switch self {
        case .responses(_, let responses), .answer(.responses(let responses)): bodyBytes + responses.count * 1_024 + 256
        case .call(_, let call): call.bytes.count + 16
        default: 256
        }
    }

    /// Bytes of the bodies it carries.
    package var bodyBytes: Int {
        switch self {
        case .responses(_, let responses), .answer(.responses(let responses)):
            responses.reduce(0) { $0 + $1.body.count }
        default: 0
        }
    }

    /// Reads a message from its frame.
    package init(kind: UInt8, payload: [UInt8]) throws(WireError) {
        var reader = ByteReader(payload)
        switch kind {
        case 1:
            let (file, source) = (try reader.read(String.self), try reader.read(String.self))
            self = .load(file: file, source: source, limits: try reader.read())
        case 2:
            if try reader.read(Bool.self) {
                let file: String = try reader.read()
                self = .module(.source(file: file, text: try reader.read()))
            } else {
                self = .module(.missing(try reader.read()))
            }
        case 3:
            let run: Int = try reader.read()
            self = .call(run: run, try reader.read())
        case 4:
            let run: Int = try reader.read()
            self = .responses(run: run, try reader.read())
        case 5: self = .abandon(run: try reader.read())
        case 6: self = .loadTests(try reader.read())
        case 7: self = .runTest(try reader.read())
        case 8: self = .answer(try reader.read())
        case 9: self = .cover(parser: try reader.read())
        case 10: self = .reportCoverage
        default: throw .malformed("message kind \(kind)")
        }
        try reader.end()
    }

    private var kind: UInt8 {
        switch self {
        case .load: 1
        case .module: 2
        case .call: 3
        case .responses: 4
        case .abandon: 5
        case .loadTests: 6
        case .runTest: 7
        case .answer: 8
        case .cover: 9
        case .reportCoverage: 10
        }
    }
}

/// The limits that a worker enforces itself; the host enforces harder ones.
package struct WorkerLimits: Hashable, Sendable, WireRecord {
    /// The maximum number of items on a page.
    package var items = 10_000
    /// The maximum number of requests in one operation.
    package var requests = 200
    /// The maximum time in milliseconds that a script runs without returning.
    package var milliseconds = 2_000
    /// Whether a result with any fault fails; otherwise optional values and whole items are left out.
    package var isStrict = true

    /// Creates the default limits.
    package init() {}

    package static let blank = WorkerLimits()
    package static let wireFields: [WireField<Self>] = [
        .init(\.items), .init(\.requests), .init(\.milliseconds), .init(\.isStrict),
    ]
}
