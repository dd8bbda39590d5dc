import Crypto
import FoundationEssentials
import Glibc
import ProviderModel

/// The statuses on this machine: its own, and those that were fetched and verified, each in a file.
package struct StatusStore: Sendable {
    /// A fetched status.
    package struct Fetched: Codable, Sendable {
        /// The address it came from.
        package var url: String
        /// The last attempt to fetch it, in seconds since 1970.
        package var attempted: Int
        /// The status; nil before the first success.
        package var report: StatusReport?

        /// An address that was never asked.
        package init(url: String) { (self.url, attempted) = (url, 0) }
    }

    private let folder: String
    /// The folder of indexes of packs, which have their statuses beside them: verified when they were fetched.
    private let indexFolder: String

    /// The statuses in the folder of an engine's state.
    package init(stateFolder: String) {
        folder = "\(stateFolder)/status"
        indexFolder = "\(stateFolder)/indexes"
    }

    /// The status that this machine has found; nil before the first check.
    package func own() throws(ProviderError) -> StatusReport? {
        let path = ownPath
        guard let data = Self.content(of: path) else { return nil }
        return try StatusReport(data, of: path)
    }

    /// Stores the status that this machine has found.
    package func store(_ report: StatusReport) throws(ProviderError) {
        do { try write(try report.text, to: ownPath) } catch { throw Self.failure(ownPath, error) }
    }

    /// The status that was fetched from an address; nil for none, and for what cannot be read, which is fetched again.
    package func fetched(from url: String) -> Fetched? {
        guard let data = Self.content(of: path(of: url)),
            let fetched = try? JSONDecoder().decode(Fetched.self, from: Data(data)), fetched.url == url
        else { return nil }
        return fetched
    }

    /// Stores a fetched status.
    package func store(_ fetched: Fetched) throws(ProviderError) {
        let path = path(of: fetched.url)
        do { try write(String(decoding: try JSONEncoder().encode(fetched), as: UTF8.self), to: path) } catch {
            throw Self.failure(path, error)
        }
    }

    /// The statuses that apply: this machine's own, those of addresses, and those of indexes.
    package func reports(from urls: [String]) -> [StatusReport] {
        // A damaged file is as good as none: the next check replaces it.
        [try? own()].compactMap(\.self) + urls.compactMap { fetched(from: $0)?.report } + ofIndexes
    }

    private var ofIndexes: [StatusReport] {
        guard access(indexFolder, F_OK) == 0,
            let names = try? FileManager.default.contentsOfDirectory(atPath: indexFolder)
        else { return [] }
        return names.sorted().filter { $0.hasSuffix(".status.json") }.compactMap { name in
            Self.content(of: "\(indexFolder)/\(name)").flatMap { try? StatusReport($0, of: name) }
        }
    }

    private var ownPath: String { "\(folder)/own.json" }

    private func path(of url: String) -> String {
        "\(folder)/\(Array(SHA256.hash(data: Array(url.utf8)).prefix(8)).hexadecimal).json"
    }

    private func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let code = AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
        guard code == 0 else { throw POSIXFailure(code: code) }
    }

    private static func content(of path: String) -> [UInt8]? {
        // Without a file there is no status.
        guard access(path, F_OK) == 0, let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        return Array(data)
    }

    private static func failure(_ path: String, _ error: any Error) -> ProviderError {
        ProviderError(.file, provider: "", message: "could not write \(path): \(error)")
    }

    private struct POSIXFailure: Error, CustomStringConvertible {
        let code: Int32
        var description: String { String(cString: strerror(code)) }
    }
}

/// What is known of the health of sources, by the newest of several statuses.
package struct SourceHealth: Sendable {
    private var known: [String: (status: SourceStatus, year: Int?)] = [:]

    /// The health that statuses tell of; of one source the status that was checked last counts.
    package init(_ reports: [StatusReport]) {
        for report in reports {
            let year = CalendarDay(report.made)?.date.year
            for (provider, status) in report.providers {
                if let other = known[provider], other.status.checked >= status.checked { continue }
                known[provider] = (status, year)
            }
        }
    }

    /// Whether nothing is known to be broken.
    package var isEmpty: Bool { !known.values.contains { $0.status.broken != nil } }

    /// Whether something of a provider is or was broken, whatever its version.
    package func concerns(_ provider: String) -> Bool { known[provider]?.status.broken != nil }

    /// The status of a provider's source.
    package subscript(provider: String) -> SourceStatus? { known[provider]?.status }

    /// The break that a version of a provider suffers from; nil where none is known.
    package func fault(of provider: String, _ version: ProviderVersion) -> KnownBreak? {
        guard let (status, year) = known[provider], let fault = status.fault(of: version) else { return nil }
        return KnownBreak(fault, reportedIn: year)
    }

    /// The break that a loaded provider suffers from; nil where none is known.
    package func fault(of provider: ScriptProvider) -> KnownBreak? {
        let id = provider.manifest.id.description
        return concerns(id) ? fault(of: id, ProviderVersion(of: provider)) : nil
    }
}
