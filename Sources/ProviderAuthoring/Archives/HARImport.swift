import FoundationEssentials
import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// Converts a HAR archive of a browser or a proxy to a cassette.
package struct HARImport: Sendable {
    /// The archive's path.
    package let archive: String
    /// What the cassette is called; nil for the archive's own name.
    package var name: String?
    /// Where the user's keys are, which are masked.
    package let credentials: CredentialSource

    /// Creates an import of the archive at a path into the cassette with this name.
    package init(archive: String, name: String?, credentials: CredentialSource) {
        self.archive = archive
        self.name = name
        self.credentials = credentials
    }

    /// Adds the exchanges with the provider's hosts to its cassette, and says what was written and what left out.
    package func suite(of file: ProviderFile, _ settings: TestSettings) async -> TestReport.Suite {
        await ConformanceSubject.withSubject(file, settings, named: "\(file.id) import") { subject, suite in
            do {
                suite.cases += try await cases(for: subject, folder: settings.cassetteFolder(of: file))
            } catch {
                suite.cases.append(TestReport.Case(failed: "the archive is readable", error))
            }
        }
    }

    private func cases(for subject: ConformanceSubject, folder: String) async throws -> [TestReport.Case] {
        let manifest = subject.manifest
        var read = try archive(for: manifest, on: subject.instance)
        let name = cassetteName
        guard !read.entries.isEmpty else {
            let hosts =
                manifest.hosts.isEmpty ? "the server in use" : manifest.hosts.map(\.description).joined(separator: ", ")
            let problem = TestReport.Problem(
                "\(archive): no responses to import (expected some from \(hosts))",
                hint: "record in the browser while the page calls the API, and save the archive \"with content\"")
            return [TestReport.Case("\(name).json", .failed, problems: [problem])] + leftOut(read)
        }
        let detection = await CallDetection(subject, for: read.entries)
        for index in read.entries.indices {
            read.entries[index].calls = [detection.call(of: read.entries[index])].compactMap(\.self)
        }
        var cassette =
            subject.library.cassettes.first { $0.name == name } ?? Cassette(name: name, provider: manifest.id)
        let (added, replaced) = cassette.take(read.entries)
        try cassette.write(into: folder)
        let parts = [(added, "added"), (replaced, "replaced")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let entries = cassette.entries.count.counted("entry", plural: "entries")
        let what = "\(name).json: \(parts.joined(separator: ", ")), \(entries) in all"
        return [TestReport.Case(what, .passed, note: "\(folder)/\(name).json")] + leftOut(read)
    }

    private func archive(for manifest: ProviderManifest, on instance: WebURL?) throws -> HARArchive {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: archive)) } catch {
            throw ProviderError(.file, provider: "", message: "could not read \(archive): \(error.systemReason)")
        }
        let credentials = try credentials.credentials(for: manifest, on: instance, session: SessionValues())
        let redaction = CassetteRedaction(
            credentials: credentials, pairNames: Set(manifest.authentication.flatMap(\.queryNames)))
        do throws(InvalidJSON) {
            return try HARArchive(
                parsing: Array(data),
                hosts: manifest.hosts + (instance.map { [HostPattern($0.host)].compactMap(\.self) } ?? []),
                redaction: redaction)
        } catch {
            throw ProviderError(.file, provider: "", message: "\(archive) is not a HAR archive: \(error)")
        }
    }

    /// `search.har` → `search`; what a file's name had better not have becomes a `-`.
    private var cassetteName: String {
        let file = name ?? archive.split(separator: "/").last.map(String.init) ?? archive
        let base =
            file.hasSuffix(".har")
            ? String(file.dropLast(4)) : file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        let safe = base.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" }
        let trimmed = String(safe).split(separator: "-").joined(separator: "-")
        return trimmed.isEmpty ? "imported" : trimmed
    }

    /// One case that counts what was left out, by reason.
    private func leftOut(_ read: HARArchive) -> [TestReport.Case] {
        guard !read.omitted.isEmpty else { return [] }
        var reasons: [(text: String, count: Int)] = []
        for (_, omission) in read.omitted {
            let text =
                switch omission {
                case .host(let host): host
                case .noAnswer: "without a response"
                case .noBody: "without a body in the archive; save the archive \"with content\""
                case .packedBody: "with a body that is still compressed"
                case .noURL: "not of HTTP"
                }
            if let index = reasons.firstIndex(where: { $0.text == text }) {
                reasons[index].count += 1
            } else {
                reasons.append((text, 1))
            }
        }
        let shown = reasons.sorted { ($1.count, $0.text) < ($0.count, $1.text) }.prefix(12).map {
            "\($0.count) × \($0.text)"
        }
        let more = reasons.count > 12 ? ", and of \(reasons.count - 12) other hosts" : ""
        return [
            TestReport.Case(
                "\(read.omitted.count.counted("exchange")) left out", .skipped,
                note: shown.joined(separator: ", ") + more)
        ]
    }
}

extension Cassette {
    /// Takes entries over: one for a request that is there already takes the other's place.
    fileprivate mutating func take(_ new: [Entry]) -> (added: Int, replaced: Int) {
        var (added, replaced) = (0, 0)
        let before = entries.count
        for entry in new {
            if let index = entries[..<before].firstIndex(where: { $0.isSameRequest(as: entry) }) {
                entries[index] = entry
                replaced += 1
            } else {
                entries.append(entry)
                added += 1
            }
        }
        return (added, replaced)
    }
}

extension Cassette.Entry {
    fileprivate func isSameRequest(as other: Self) -> Bool {
        method == other.method && url == other.url && RequestBody(body) == RequestBody(other.body)
    }
}
