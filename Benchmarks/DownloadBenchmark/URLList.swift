import Downloads
import Glibc
import ProviderModel

/// The requests for the URLs in a file, one a line, read as they are asked for.
struct URLList: AsyncSequence, Sendable {
    let path: String

    struct AsyncIterator: AsyncIteratorProtocol {
        private let file: UnsafeMutablePointer<FILE>?
        private var index = 0

        init(path: String) { file = fopen(path, "r") }

        mutating func next() async -> DownloadRequest? {
            guard let file else { return nil }
            var line: UnsafeMutablePointer<CChar>?
            var size = 0
            defer { free(line) }
            while getline(&line, &size, file) > 0 {
                guard let line else { return nil }
                line[strcspn(line, "\r\n")] = 0
                let text = String(cString: line)
                // The list is the benchmark's own.
                guard let url = try? WebURL(text) else { continue }
                index += 1
                return DownloadRequest(url, index: index)
            }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(path: path) }
}
