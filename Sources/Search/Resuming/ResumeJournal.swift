import Glibc
import ProviderModel

/// A crawl's file that this process began, and to which it adds what changes, one line after another.
struct ResumeJournal {
    /// What may be added before the file is begun anew: a page of a usual crawl adds less than a thousandth of it.
    private static let lengthLimit = 1 << 20

    private let file: OpenFile
    private let path: String
    private var state: CrawlState
    private var length = 0

    /// A file that holds a state.
    init(_ file: OpenFile, at path: String, with state: CrawlState) {
        self.file = file
        self.path = path
        self.state = state
    }

    /// Adds what is new in a state; false where it has to be written anew.
    ///
    /// A line that could not be written to its end is the last that counts: nothing may follow it.
    mutating func add(_ state: CrawlState, for path: String) -> Bool {
        guard path == self.path, length < Self.lengthLimit, !file.isReplaced else { return false }
        let changed = state.providers.filter { self.state.providers[$0.key] != $0.value }
        var json = JSONWriter()
        json.object { json in
            json.name("providers")
            CrawlState(providers: changed).write(to: &json)
        }
        let line = json.bytes + [UInt8(ascii: "\n")]
        guard file.write(line) else { return false }
        length += line.count
        self.state = state
        return true
    }
}

/// A file that is open for writing until nobody holds it any more.
final class OpenFile: Sendable {
    private let descriptor: Int32

    /// Takes over a descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Whether no name leads to the file any more: another process has put its own in the place.
    var isReplaced: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    /// Writes all bytes at the end; false says that `errno` tells why not.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
