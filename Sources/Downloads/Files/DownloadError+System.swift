import Glibc

extension DownloadError {
    /// What a failed system call means to a caller; `path` is what the user knows of the file.
    init(errno code: Int32, _ doing: String, _ path: String) {
        let said = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            self.init(
                .diskFull,
                "no room is left to write \(path) (\(said)); free some space and run the same command again: "
                    + "complete files are kept, and what is begun goes on where it stopped"
            )
        case EROFS, EACCES, EPERM:
            self.init(
                .readOnly, "\(path) may not be written (\(said)); check the permissions of the folder and its disk")
        case ELOOP, ENOTDIR:
            self.init(
                .file,
                "\(path) cannot be \(doing): a file or a symbolic link stands where a folder should be (\(said)); "
                    + "files are never written through links: remove it, or choose another --directory or --name"
            )
        default: self.init(.file, "\(path) cannot be \(doing) (\(said))")
        }
    }
}
