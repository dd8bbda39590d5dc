import Glibc

/// Writes whole files: a reader finds the former content or the new one, never a part.
package enum AtomicFile {
    /// The draft of a file has this in front of six letters; one that a killed process left may be removed.
    package static func draftPrefix(of path: String) -> String { ".\(path.split(separator: "/").last ?? "")." }

    /// Writes a draft beside the file, flushes it to the disk, and gives it the file's name.
    ///
    /// - Parameters:
    ///   - bytes: the whole content.
    ///   - path: the file.
    ///   - mode: its permissions.
    ///   - replacing: whether an existing file is replaced; otherwise it is `EEXIST`.
    /// - Returns: 0, or the `errno` of the failure; `ELOOP` where a link lies at the path, which is not replaced.
    package static func write(_ bytes: [UInt8], to path: String, mode: mode_t, replacing: Bool = true) -> Int32 {
        guard OwnFile.linkRefusal(path) == nil else { return ELOOP }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
        var draft = Array("\(folder)\(draftPrefix(of: path))XXXXXX".utf8CString)
        let descriptor = mkstemp(&draft)  // created with mode 0600
        guard descriptor >= 0 else { return errno }
        defer { unlink(draft) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var code = descriptor.writeAll(bytes) ? 0 : errno
        if code == 0, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { code = errno }
        if close(descriptor) != 0, code == 0 { code = errno }
        guard code == 0 else { return code }
        // A second name, unlike renaming, never replaces another file.
        return (replacing ? rename(draft, path) : link(draft, path)) == 0 ? 0 : errno
    }
}
