import FoundationEssentials

/// Where a report goes: a file, written when it is whole, or the standard output, piece by piece.
final class ReportSink {
    private let path: String?
    private let output: StandardOutput
    private var text = ""

    /// A report into a file, or into `output` where no file is named.
    init(path: String?, otherwise output: StandardOutput) throws {
        self.path = path
        self.output = output
    }

    /// Takes the next piece.
    func write(_ piece: String) throws {
        guard path == nil else {
            text += piece
            return
        }
        try output.write(Array(piece.utf8))
        try output.flush()
    }

    /// Writes the file, where there is one.
    func finish() throws {
        guard let path else { return }
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw OutputError(.writing, "\(path) cannot be written: \(error.systemReason)")
        }
    }

    /// The text of a file, for code frames; nil where it cannot be read.
    static func text(of path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }  // a frame less
    }
}
