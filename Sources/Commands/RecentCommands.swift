import CEarlyStart
import Glibc

/// The command lines that were answered of late, as numbers in a small file.
///
/// What was asked before is likely to be stored: then no worker needs to start before that is known. What was downloaded
/// before is likely to be there: then no network is made ready before something is to be fetched. A wrong guess costs a few
/// milliseconds and nothing else.
struct RecentCommands {
    private let path: String
    private let number: UInt64

    /// How many are remembered.
    private static let limit = 512

    /// The record in a folder, and this process's own command line.
    init(folder: String, arguments: [String]) {
        path = "\(folder)/recent-commands"
        let line = arguments.joined(separator: "\u{0}")
        number =
            line.utf8.withContiguousStorageIfAvailable { bytes in
                bytes.withMemoryRebound(to: CChar.self) { command_number($0.baseAddress, $0.count) }
            } ?? 0
    }

    /// Whether this command line is among them, as `CEarlyStart` asks before `main`.
    var containThisOne: Bool { command_is_recent(path, number) }

    /// Remembers this command line; what cannot be written is not remembered.
    func remember() {
        let known = read()
        guard known.last != number else { return }
        var numbers = known.filter { $0 != number }
        numbers.append(number)
        let bytes = numbers.suffix(Self.limit).flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        _ = write(file, bytes, bytes.count)
    }

    private func read() -> [UInt64] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.limit * 8)
        let count = Glibc.read(file, &bytes, bytes.count)
        return stride(from: 0, to: max(0, count - 7), by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
        }
    }
}
