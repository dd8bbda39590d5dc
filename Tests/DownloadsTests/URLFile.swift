import Foundation
import TestSupport

/// A list of URLs in a file.
struct URLFile {
    let path: String

    init(_ urls: [String], in folder: TemporaryFolder) throws {
        path = folder.path + "/list-" + UUID().uuidString
        try Data(urls.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
    }
}
