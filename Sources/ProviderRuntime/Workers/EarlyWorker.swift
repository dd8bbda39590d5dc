import CSpawn

/// A worker that is started before anything else is known, since it takes longest to be ready.
package final class EarlyWorker: Sendable {
    private let settings: WorkerSettings
    private let connection: WorkerConnection

    /// Starts the executable with the standard bounds.
    package init(executable: String) {
        settings = WorkerSettings(executable: executable)
        connection = WorkerConnection(settings: settings)
    }

    /// Takes over a process that was started from the executable with the standard memory.
    package init(executable: String, adopting process: spawned_process) {
        settings = WorkerSettings(executable: executable)
        connection = WorkerConnection(settings: settings, adopting: WorkerProcess(adopting: process))
    }

    /// The worker, when it was started as these settings want it; else it is ended.
    func connection(fitting wanted: WorkerSettings) -> WorkerConnection? {
        if wanted.executable == settings.executable, wanted.memory == settings.memory, wanted.coverage == nil,
            wanted.deadline == settings.deadline, wanted.replyBytes == settings.replyBytes
        {
            return connection
        }
        connection.close()
        return nil
    }
}
