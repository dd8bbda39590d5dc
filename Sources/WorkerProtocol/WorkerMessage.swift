import ProviderModel

/// A message from a worker to the host.
///
/// Every `load`, `call` and `responses` has one reply: `loaded`, `requests`, `finished` or `failed`; `loadTests` has
/// `testsFound`, `runTest` and `answer` have `asked` or `tested`; `cover` and `reportCoverage` have `covered`. Any number of
/// `log` and `moduleNeeded` may come before it.
package enum WorkerMessage {
    /// The engine runs and the sandbox is on: the first message of all.
    case ready(WorkerStatus)
    /// The file was evaluated; its manifest.
    case loaded(ProviderManifest)
    /// A script requires a module; answered by `HostMessage.module`.
    case moduleNeeded(specifier: String, from: String)
    /// A script needs responses; answered by `HostMessage.responses`.
    case requests([ProviderRequest])
    /// The operation's result.
    case finished(EncodedResult)
    /// The load or the operation failed.
    case failed(ProviderError)
    /// A line a script wrote with `console`.
    case log(level: LogLevel, text: String)
    /// A test file was read; the tests in it.
    case testsFound([TestDescription])
    /// A running test needs an answer; `HostMessage.answer`.
    case asked(TestQuestion)
    /// The outcome of a test.
    case tested(TestOutcome)
    /// The counts so far.
    case covered([FileCoverage])

    /// The levels of `console`.
    package enum LogLevel: String, Sendable, WireValue {
        case debug
        case info
        case warning
        case error
    }

    /// The message as it goes on the pipe.
    package var frame: [UInt8] {
        FrameHeader.frame(kind: kind, capacity: capacity) { payload in
            switch self {
            case .ready(let status): payload.write(status)
            case .loaded(let manifest): payload.write(manifest)
            case .moduleNeeded(let specifier, let file):
                payload.write(specifier)
                payload.write(file)
            case .requests(let requests): payload.write(requests)
            case .finished(let result): payload.write(result)
            case .failed(let error): payload.write(error)
            case .log(let level, let text):
                payload.write(level)
                payload.write(text)
            case .testsFound(let tests): payload.write(tests)
            case .asked(let question): payload.write(question)
            case .tested(let outcome): payload.write(outcome)
            case .covered(let files): payload.write(files)
            }
        }
    }

    private var capacity: Int { if case .finished(let result) = self { result.json.count + 16 } else { 256 } }

    /// Reads a message from its frame.
    package init(kind: UInt8, payload: [UInt8]) throws(WireError) {
        var reader = ByteReader(payload)
        switch kind {
        case 65: self = .ready(try reader.read())
        case 66: self = .loaded(try reader.read())
        case 67:
            let specifier: String = try reader.read()
            self = .moduleNeeded(specifier: specifier, from: try reader.read())
        case 68: self = .requests(try reader.read())
        case 69: self = .finished(try reader.read())
        case 70: self = .failed(try reader.read())
        case 71:
            let level: LogLevel = try reader.read()
            self = .log(level: level, text: try reader.read())
        case 72: self = .testsFound(try reader.read())
        case 73: self = .asked(try reader.read())
        case 74: self = .tested(try reader.read())
        case 75: self = .covered(try reader.read())
        default: throw .malformed("message kind \(kind)")
        }
        try reader.end()
    }

    private var kind: UInt8 {
        switch self {
        case .ready: 65
        case .loaded: 66
        case .moduleNeeded: 67
        case .requests: 68
        case .finished: 69
        case .failed: 70
        case .log: 71
        case .testsFound: 72
        case .asked: 73
        case .tested: 74
        case .covered: 75
        }
    }
}

/// A worker's version and sandbox.
package struct WorkerStatus: Hashable, Sendable, WireValue {
    /// `FrameHeader.version` of the worker's build.
    package var version = FrameHeader.version
    /// The restrictions in force: `no_new_privs`, `seccomp`, `RLIMIT_DATA 256 MB`.
    package var sandbox: [String]

    /// Creates the status of this build.
    package init(sandbox: [String]) { self.sandbox = sandbox }

    package init(from reader: inout ByteReader) throws(WireError) {
        version = try reader.read()
        // What follows may be anything in another version.
        guard version == FrameHeader.version else { throw .version(found: version) }
        sandbox = try reader.read()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(version)
        writer.write(sandbox)
    }
}
