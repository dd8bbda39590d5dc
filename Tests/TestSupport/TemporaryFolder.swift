import Foundation

/// A folder of a test's own that goes away with its last reference.
package final class TemporaryFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// Makes a folder.
    package init() {
        path = FileManager.default.temporaryDirectory.path + "/imgscript-test-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch { preconditionFailure("no temporary folder: \(error)") }
    }

    deinit {
        // What is left behind in the temporary folder harms no other test.
        try? FileManager.default.removeItem(atPath: path)
    }
}
