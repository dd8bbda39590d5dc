import Foundation
import Glibc

/// What lies in a folder, for tests that look at files behind the back of what they test.
package enum FolderListing {
    /// The names in a folder, sorted; empty when it cannot be read.
    package static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// The permission bits of a file; nil when there is none.
    package static func mode(of path: String) -> UInt32? {
        var facts = Glibc.stat()
        return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : nil
    }

    /// Replaces what a file contains.
    package static func write(_ text: String, to path: String) {
        do { try text.write(toFile: path, atomically: false, encoding: .utf8) } catch {
            preconditionFailure("\(path) cannot be written: \(error)")
        }
    }
}

extension FolderListing {
    /// The paths of all files in a folder and below it.
    package static func allFiles(under folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var isFolder: ObjCBool = false
        return names.map { "\(folder)/\($0)" }
            .filter { FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue }
    }

    /// What a file contains; nothing when it cannot be read.
    package static func bytes(of path: String) -> [UInt8] {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
    }
}
