import Glibc
import HTTPTransport
import LocalDatabase
import ProviderModel

/// Why a file was not downloaded, or nothing can be.
public struct DownloadError: Error, CustomStringConvertible {
    /// What a caller may handle differently.
    public enum Code: String, Sendable, CaseIterable {
        /// An option is not valid.
        case option
        /// The name template is not valid.
        case template
        /// An input is not valid.
        case input
        /// The provider could not say what to fetch.
        case provider
        /// There is no such image, or no such file any more.
        case notFound
        /// A key is missing or was refused.
        case auth
        /// The image has no file.
        case noMedia
        /// The server answered with an error status.
        case status
        /// The connection failed, or is not allowed.
        case transport
        /// No secure connection could be made.
        case tls
        /// What came is not the image that was promised.
        case content
        /// The file is larger than the limit.
        case tooLarge
        /// What came does not match the server's length, digest or range.
        case damaged
        /// The file kept changing on the server while it was fetched.
        case changing
        /// Another process is fetching the same file.
        case busy
        /// This file cannot be written; others may be.
        case file
        /// The disk is full.
        case diskFull
        /// There is no permission to write to the folder.
        case readOnly
        /// The folder was removed.
        case folderGone
        /// Metadata cannot be written at all.
        case metadata
        /// The archive or the credits cannot be used.
        case archive
    }

    /// What a caller may handle differently.
    public var code: Code
    /// What was found, and what was expected.
    public var message: String
    /// The reference or the URL it is about; nil where it is about all.
    public var subject: String?
    /// Where that stands in a list: `list.txt:17`.
    public var place: String?
    /// The server's status, where it answered.
    public var status: Int?
    /// The underlying error.
    public let cause: (any Error)?

    /// An error.
    public init(
        _ code: Code, _ message: String, subject: String? = nil, place: String? = nil, status: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject?.maskingUserInfo
        self.place = place
        self.status = status
        self.cause = cause
    }

    /// The place, the subject and the message.
    public var description: String {
        [place, isNamed ? nil : subject].compactMap(\.self).map { "\($0): " }.joined() + message
    }

    /// Whether the message names its file by its URL, or by the path of it, and need not begin with it.
    private var isNamed: Bool {
        guard let subject, subject.hasPrefix("http"), let url = try? WebURL(subject) else { return false }
        return message.contains(subject) || url.path != "/" && message.contains(url.path.quoted)
    }

    /// Whether nothing else can be downloaded either.
    package var stopsEverything: Bool { [.diskFull, .readOnly, .folderGone].contains(code) }

    /// What errors of one kind have in common, in a few words.
    public var reason: String {
        switch code {
        case .option: "invalid option"
        case .template: "invalid name template"
        case .input: "invalid input"
        case .provider: "the provider failed"
        case .notFound: status.map { "gone (\($0))" } ?? "not found"
        case .auth: status.map { "missing or rejected key (\($0))" } ?? "missing or rejected key"
        case .noMedia: "no file"
        case .status: status.map(Self.meaning) ?? "server error"
        case .transport: "connection failed"
        case .tls: "no secure connection"
        case .content: "not the expected image"
        case .tooLarge: "over the size limit"
        case .damaged: "incomplete"
        case .changing: "incomplete, or changed during the download"
        case .busy: "being downloaded by another process"
        case .file: "could not be written"
        case .diskFull: "no space left on the disk"
        case .readOnly: "no permission to write to the folder"
        case .folderGone: "the folder was removed"
        case .metadata: "could not write metadata"
        case .archive: "could not use the archive"
        }
    }

    private static func meaning(of status: Int) -> String {
        switch status {
        case 401, 403: "refused (\(status))"
        case 429: "too many requests (\(status))"
        case 500...: "server error (\(status))"
        default: "answered \(status)"
        }
    }
}

extension DownloadError {
    /// What a failed system call means to a caller; `action` as in "cannot open".
    init(errno number: Int32, _ action: String, _ path: String) {
        let found = String(cString: strerror(number))
        switch number {
        case ENOSPC, EDQUOT, EFBIG: self.init(.diskFull, "no space left on the disk to \(action) \(path) (\(found))")
        case EROFS, EACCES, EPERM: self.init(.readOnly, "no permission to \(action) \(path) (\(found))")
        case ELOOP, ENOTDIR:
            self.init(
                .file,
                "could not \(action) \(path): expected a folder, found a file or a symbolic link (\(found)); "
                    + "symbolic links are not followed")
        default: self.init(.file, "could not \(action) \(path) (\(found))")
        }
    }

    /// What a failure of the transport means for a file.
    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .tls: .tls
            case .tooLarge: .tooLarge
            default: .transport
            }
        // Files have a limit of their own, which is not the transport's option.
        let message = error.message
        self.init(code, message, cause: error)
    }

    /// What a failure of a provider means for a file.
    init(_ error: ProviderError, subject: String?) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .auth: .auth
            case .transport: .transport
            // The input names a provider that does not exist.
            case .provider where error.location == nil: .input
            default: .provider
            }
        // A subject names the provider already; a location in its script says more.
        let isNamed = error.provider.isEmpty || subject != nil && error.location == nil
        let message = isNamed ? error.message : error.description
        self.init(code, message, subject: subject, cause: error)
    }

    /// What a failure of a folder's database means; `action` as in "cannot use the archive".
    init(ofDatabase error: any Error, _ action: String) {
        switch error {
        case let error as DownloadError: self = error
        // Files would find the disk full, too.
        case let error as LocalDatabaseError where error.code == .full:
            self.init(.diskFull, error.message, cause: error)
        default: self.init(.archive, "could not \(action): \(error)", cause: error)
        }
    }

    /// Any error as a download error about this subject.
    package init(any error: any Error, subject: String? = nil, place: String? = nil) {
        switch error {
        case let error as DownloadError: self = error
        case let error as ProviderError: self.init(error, subject: subject)
        default: self.init(.provider, "\(error)", cause: error)
        }
        self.subject = self.subject ?? subject?.maskingUserInfo
        self.place = self.place ?? place
    }
}
