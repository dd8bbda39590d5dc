import FoundationEssentials
import Glibc
import ImgScript
import ProviderAuthoring
import ProviderModel
import ProviderRuntime

/// The files of a new provider; existing files are not changed.
struct NewProviderFiles {
    let id: ProviderID
    let folder: String

    private var scriptPath: String { "\(folder)/\(id).js" }
    private var testPath: String { "\(folder)/\(id).test.js" }
    private var cassetteFolder: String { "\(folder)/cassettes/\(id)" }

    /// Throws when a file exists.
    func checkAreFree(cassette: Cassette?) throws {
        let paths = [scriptPath, testPath] + [cassette.map { "\(cassetteFolder)/\($0.name).json" }].compactMap(\.self)
        for path in paths where access(path, F_OK) == 0 {
            throw Self.exists(path)
        }
    }

    /// Writes the provider's file alone, and returns its path.
    func write(script: String) throws -> String {
        try makeFolder()
        try write(script, to: scriptPath)
        return scriptPath
    }

    /// Writes the provider's file in place of the one that is there, if one is.
    func replace(script: String) throws {
        try makeFolder()
        let code = AtomicFile.write(Array(script.utf8), to: scriptPath, mode: 0o644)
        guard code == 0 else {
            throw OutputError(.writing, "could not write \(scriptPath): \(String(cString: strerror(code)))")
        }
    }

    /// Writes a provider's file to start from and the recording that nothing could be derived from; returns the paths.
    func write(script: String, _ recording: Cassette) throws -> [String] {
        try makeFolder()
        try recording.write(into: cassetteFolder)
        try write(script, to: scriptPath)
        return [scriptPath, "\(cassetteFolder)/\(recording.name).json"]
    }

    /// Writes everything, the provider's file last: where it is, all is.
    ///
    /// Where one cannot be written, none is left. Returns the paths.
    func write(_ draft: ProviderDraft) throws -> [String] {
        try makeFolder()
        var written: [String] = []
        do {
            try draft.cassette.write(into: cassetteFolder)
            written.append("\(cassetteFolder)/\(draft.cassette.name).json")
            try write(draft.test, to: testPath)
            written.append(testPath)
            try write(draft.script, to: scriptPath)
        } catch {
            for path in written { unlink(path) }
            throw error
        }
        return [scriptPath] + written.reversed()
    }

    private func makeFolder() throws {
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw OutputError(.writing, "could not create the folder \(folder): \(error.systemReason)")
        }
    }

    private func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting) } catch {
            if let error = error as? CocoaError, error.code == .fileWriteFileExists { throw Self.exists(path) }
            // Half a file would keep the next try from its name.
            unlink(path)
            throw OutputError(.writing, "could not write \(path): \(error.systemReason)")
        }
    }

    private static func exists(_ path: String) -> OutputError { OutputError(.writing, "\(path) already exists") }
}
