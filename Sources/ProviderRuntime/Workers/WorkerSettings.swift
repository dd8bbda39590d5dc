import ProviderModel
import WorkerProtocol

/// The limits of a provider's script, enforced by the host.
package struct WorkerSettings: Sendable {
    /// The `imgscript-worker` executable.
    package var executable: String
    /// The maximum time that a script runs without returning.
    package var deadline = Duration.seconds(2)
    /// The maximum memory of one provider in megabytes.
    package var memory = 256
    /// The maximum number of worker processes.
    package var workers = 6
    /// The maximum number of requests in one operation.
    package var requests = 200
    /// The maximum number of items on a page.
    package var items = 10_000
    /// Whether a result with any fault fails; otherwise optional values and whole items are left out.
    package var isStrict = true
    /// The maximum number of bytes that a worker sends in one step.
    package var replyBytes = 48 << 20
    /// Counts what of the files is reached; nil for no count.
    package var coverage: Coverage?
    /// Called with the lines that scripts write with `console`.
    package var log: @Sendable (ScriptLogLine) -> Void = { _ in }

    /// The standard bounds.
    package init(executable: String) { self.executable = executable }

    /// How what is reached gets counted.
    package struct Coverage: Sendable {
        package typealias File = FileCoverage

        /// The text of the parser acorn, which finds the places to count at.
        package var parser: String
        /// Takes what a worker has counted when it ends.
        package var collect: @Sendable ([FileCoverage]) -> Void

        /// Creates settings; `collect` is called from any thread.
        package init(parser: String, collect: @escaping @Sendable ([FileCoverage]) -> Void) {
            self.parser = parser
            self.collect = collect
        }
    }

    var limits: WorkerLimits {
        var limits = WorkerLimits()
        limits.items = items
        limits.requests = requests
        limits.milliseconds = deadline.milliseconds
        limits.isStrict = isStrict
        return limits
    }

    /// How long a worker may take until it is ready; a loaded machine needs a fraction of it.
    static let startTimeout = Duration.seconds(3)

    /// What the worker's own watchdog gets before the host kills it.
    static let grace = Duration.milliseconds(250)

    /// The most messages of one step: more than the console lines and modules of a real provider.
    static let replyMessages = 1_000

    /// What is done with a provider's lines and with the modules it asks for.
    func handlers(for source: ScriptSource, of provider: String) -> WorkerConnection.Handlers {
        let log = log
        return WorkerConnection.Handlers(
            module: source.module,
            log: { level, text in log(ScriptLogLine(provider: provider, level: level.rawValue, text: text)) })
    }
}

/// A line that a script wrote with `console`.
package struct ScriptLogLine: Sendable {
    /// The provider that wrote it.
    package var provider: String
    /// `debug`, `info`, `warning`, `error`.
    package var level: String
    /// The text.
    package var text: String
}

extension Duration {
    /// Whole milliseconds.
    package var milliseconds: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
