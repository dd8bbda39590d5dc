import Crypto
import FoundationEssentials
import Glibc
import ImgScript
import ProviderModel

/// The gallery's own folder below the user's state: the session of its browser, links to a running server, and what the page keeps.
package struct GalleryFolder: Sendable {
    /// The state of a server with certain options, in a file that it holds locked while it runs.
    private struct Record: Codable {
        /// The value of the browser's cookie, which outlives a restart.
        var session: String
        /// The address of the server.
        var url: String
    }

    /// The path of the folder.
    let path: String
    private let name: String

    /// The folder of galleries with these options; other options are another server, with a session of its own.
    package init(stateFolder: String, options: GalleryOptions) {
        path = "\(stateFolder)/gallery"
        var options = options
        // Neither makes it another server.
        (options.text, options.providers, options.isVerbose, options.isQuiet) = ("", [], false, false)
        options.audience = .browser(opens: true)
        options.downloadFolder = URL(filePath: options.downloadFolder).standardized.path
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts, numbers and lists can always be written.
        let text = (try? encoder.encode(options)) ?? Data()
        name = SHA256.hash(data: text).prefix(8).hexadecimal
    }

    /// A link to the server that runs with these options.
    ///
    /// - Parameter query: the parameters that the link has besides its token: `q=coffee`.
    /// - Returns: the link, which works once; nil when no such server runs.
    package func linkToRunningServer(query: String) -> String? {
        let descriptor = Glibc.open(recordPath, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Nobody holds it: no server runs.
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, let record = record(), !record.url.isEmpty else { return nil }
        let token = LinkToken.random()
        let folder = "\(path)/links"
        mkdir(folder, 0o700)
        let file = Glibc.open("\(folder)/\(Self.digest(token))", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        close(file)
        return "\(record.url)?\((["token=\(token)"] + (query.isEmpty ? [] : [query])).joined(separator: "&"))"
    }

    /// Takes a token of a link that another process has printed; whether there was one, within the last hour.
    func take(_ token: String) -> Bool {
        let file = "\(path)/links/\(Self.digest(token))"
        var status = stat()
        // Who removes the file is the one who takes it.
        guard stat(file, &status) == 0, unlink(file) == 0 else { return false }
        return time(nil) - status.st_mtim.tv_sec < 3_600
    }

    /// Marks a server as running until this process ends.
    ///
    /// - Returns: the session's secret, that of the last server with these options if there was one; nil where the folder
    ///   cannot be used, or another process was first.
    func begin() -> String? {
        // Where the folder cannot be made, nothing is kept.
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o700)
        let descriptor = Glibc.open(recordPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        // The descriptor stays open: the lock ends with the process.
        let session = record()?.session ?? LinkToken.random()
        write(Record(session: session, url: ""))
        return session
    }

    /// Notes where the server that has begun can be reached.
    func note(url: String, session: String) { write(Record(session: session, url: url)) }

    private var recordPath: String { "\(path)/\(name).json" }

    private func record() -> Record? {
        // A file that is not whole is none.
        (try? Data(contentsOf: URL(filePath: recordPath))).flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
    }

    /// Writes in place: the lock is on the file itself.
    private func write(_ record: Record) {
        guard let data = try? JSONEncoder().encode(record), let file = fopen(recordPath, "r+e") else { return }
        defer { fclose(file) }
        ftruncate(fileno(file), 0)
        _ = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    }

    private static func digest(_ token: String) -> String { SHA256.hash(data: Array(token.utf8)).hexadecimal }
}
