import FoundationEssentials
import Glibc
import Logging
import ProviderModel

/// Writes each message as a line of JSON to the standard error, for journals and log collectors.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void

    /// A handler; `write` takes a line with its end.
    package init(
        label: String, level: Logger.Level,
        write: @escaping @Sendable ([UInt8]) -> Void = { line in _ = Glibc.write(STDERR_FILENO, line, line.count) }
    ) {
        self.label = label
        self.write = write
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var json = JSONWriter()
        json.object { json in
            json.member("time", Date().formatted(.iso8601))
            json.member("level", event.level.rawValue)
            json.member("label", label)
            json.member("message", event.message.description)
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            for (name, value) in all.sorted(by: { $0.key < $1.key }) {
                // Numbers are written as such: collectors compare and sum them.
                if case .stringConvertible(let number as Int) = value {
                    json.member(name, number)
                } else {
                    json.member(name, "\(value)")
                }
            }
        }
        // One write for one line: those of several threads do not mix.
        write(json.bytes + [UInt8(ascii: "\n")])
    }
}
