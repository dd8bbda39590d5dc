import CLibArchive
import CSodium

/// The libraries that packs are read and signed with.
package enum PackLibraries {
    /// Each with its version: `libarchive/3.6.2`.
    package static var versions: [String] {
        // libarchive names itself: "libarchive 3.6.2".
        let archive = archive_version_string().map { String(cString: $0) } ?? "libarchive"
        let sodium = sodium_version_string().map { String(cString: $0) } ?? ""
        return [archive.split(separator: " ", maxSplits: 1).joined(separator: "/"), "libsodium/\(sodium)"]
    }
}
