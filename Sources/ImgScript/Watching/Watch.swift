import ProviderModel

/// A query that is followed: its new images are downloaded, each once.
public struct Watch: Codable, Hashable, Sendable {
    /// One run.
    public struct Run: Codable, Hashable, Sendable {
        /// The time of its start, as ISO 8601.
        public let started: String
        /// The number of new files.
        public let new: Int
        /// The number of files that could not be downloaded.
        public let failed: Int
        /// Whether every provider was listed to what was known, and every file is there or cannot be had.
        public let isComplete: Bool

        /// Creates a record of a run.
        ///
        /// - Parameters:
        ///   - started: the time of its start in seconds since 1970.
        ///   - new: the number of new files.
        ///   - failed: the number of files that could not be downloaded.
        ///   - isComplete: whether nothing is left for the next run.
        public init(started: Int, new: Int, failed: Int, isComplete: Bool) {
            self.started = DateTime(secondsSince1970: started).iso8601
            self.new = new
            self.failed = failed
            self.isComplete = isComplete
        }
    }

    /// How many runs are kept.
    private static let historyLimit = 200

    /// The name: letters, digits, dashes, dots and underscores.
    public let name: String
    /// What describes the query and the download to the program that runs it, such as the arguments of a command.
    public let arguments: [String]
    /// The folder that relative paths among the arguments are relative to.
    public let workingFolder: String
    /// The last runs, the newest last.
    public private(set) var runs: [Run] = []
    /// When a run began that has not ended, in seconds since 1970.
    public private(set) var runningSince: Int?
    /// The newest images of each provider when a run was last complete, by which a later one recognises what is known.
    private(set) var newest: [String: [String]]?
    /// How many images are left of those that the first run was to fetch, where some of them failed.
    private(set) var remaining: Int?

    /// Creates a watch that has not run.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - arguments: what describes the query.
    ///   - workingFolder: an absolute path.
    public init(name: String, arguments: [String], workingFolder: String) {
        self.name = name
        self.arguments = arguments
        self.workingFolder = workingFolder
    }

    /// Whether nothing is left of the runs so far.
    public var isCaughtUp: Bool { runningSince == nil && runs.last?.isComplete == true }

    /// Notes that a run begins.
    ///
    /// - Parameter now: the time in seconds since 1970.
    public mutating func begin(at now: Int) { runningSince = runningSince ?? now }

    /// Whether a run has been complete, so that the next ones stop at what it has listed.
    package var hasBeenComplete: Bool { newest != nil }

    /// How far the next run reads.
    ///
    /// - Parameters:
    ///   - providers: the ids of the providers.
    ///   - limit: the maximum number of new images of each.
    ///   - limits: the maximum numbers of single providers.
    ///   - knownInARow: the number of known images in a row that ends a run.
    ///   - readsOlder: whether older images than the known ones are wanted as well.
    /// - Returns: a reading that has not begun.
    package func reading(
        of providers: [String], limit: Int, limits: [String: Int] = [:], knownInARow: Int? = nil,
        readsOlder: Bool = false
    ) -> WatchReading {
        let remaining = readsOlder ? nil : remaining
        return WatchReading(
            of: providers, limit: min(limit, remaining ?? limit), limits: limits.mapValues { min($0, remaining ?? $0) },
            known: newest, knownInARow: knownInARow, readsOlder: readsOlder)
    }

    /// Notes the end of a run.
    ///
    /// - Parameters:
    ///   - run: what came of it.
    ///   - reading: how far it has read.
    ///   - isListed: whether no listing failed.
    package mutating func end(_ run: Run, _ reading: WatchReading, isListed: Bool) {
        runningSince = nil
        runs = (runs + [run]).suffix(Self.historyLimit)
        if run.isComplete { newest = reading.newest }
        remaining = newest == nil && isListed && reading.isComplete && run.failed > 0 ? run.failed : nil
    }

    /// Whether a text can be a watch's name.
    ///
    /// - Parameter name: any text.
    /// - Returns: whether it has 1 to 64 letters, digits, dashes, dots and underscores, and begins with none of the last.
    public static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) != nil
    }
}
