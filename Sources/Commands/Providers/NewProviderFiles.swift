import Glibc
import ImgScript
import ProviderAuthoring
import ProviderRuntime

/// The files of a provider that is begun; none that is there already is touched.
struct NewProviderFiles {
    let id: ProviderID
    let folder: String

    private var scriptPath: String { "\(folder)/\(id).js" }
    private var testPath: String { "\(folder)/\(id).test.js" }
    private var cassetteFolder: String { "\(folder)/cassettes/\(id)" }

    /// Fails when a file is there already.
    func checkAreFree(cassette: Cassette?) throws {
        let paths = [scriptPath, testPath] + [cassette.map { "\(cassetteFolder)/\($0.name).json" }].compactMap(\.self)
        for path in paths where access(path, F_OK) == 0 {
            throw NewProviderError("\(path) is there already; choose another name, or remove it first")
        }
    }

    /// Writes the provider's file alone, and returns its path.
    func write(script: String) throws -> String {
        try makeFolder()
        try write(script, to: scriptPath)
        return scriptPath
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
        if mkdir(folder, 0o755) != 0, errno != EEXIST { throw Self.fault("the folder \(folder) cannot be made") }
    }

    private func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw errno == EEXIST ? NewProviderError("\(path) is there already") : Self.fault("\(path) cannot be made")
        }
        defer { close(file) }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let fault = Self.fault("\(path) cannot be written")
                // Half a file would keep the next try from its name.
                unlink(path)
                throw fault
            }
            bytes = bytes.dropFirst(count)
        }
    }

    private static func fault(_ what: String) -> NewProviderError {
        NewProviderError("\(what): \(String(cString: strerror(errno)))")
    }
}

/// Why a provider's files could not be begun.
struct NewProviderError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
