import ProviderModel

/// Why a file was not downloaded, or nothing can be.
package struct DownloadError: Error, CustomStringConvertible {
    /// What a caller may handle differently.
    package enum Code: String, Sendable, CaseIterable {
        /// An option cannot be read.
        case option
        /// A name template cannot be read.
        case template
        /// The item has no file that could be had.
        case noMedia
        /// The server said no.
        case status
        /// The transport failed.
        case transport
        /// What came is not the image that was promised.
        case content
        /// What came is not what the server said it would be: its length, its digest, its range.
        case damaged
        /// The file changed on the server again and again while it was fetched.
        case changing
        /// Another process is fetching the same file.
        case busy
        /// One file cannot be written, others may.
        case file
        /// No room is left on the disk.
        case diskFull
        /// The folder cannot be written.
        case readOnly
        /// The folder is gone.
        case folderGone
        /// Metadata cannot be written at all.
        case metadata
        /// The archive cannot be used.
        case archive
    }

    /// What a caller may handle differently.
    package let code: Code
    /// What was found, what was expected and what to do next.
    package let message: String
    /// Which file it is about, as `provider:id:role`; nil where it is about all.
    package let subject: MediaKey?
    /// The server's status, where that is the matter.
    package let status: Int?
    /// What lies beneath.
    package let cause: (any Error)?

    /// An error.
    package init(
        _ code: Code,
        _ message: String,
        subject: MediaKey? = nil,
        status: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.status = status
        self.cause = cause
    }

    /// Whether nothing else can be downloaded either.
    package var stopsEverything: Bool { [.diskFull, .readOnly, .folderGone].contains(code) }

    /// The message.
    package var description: String { message }
}
