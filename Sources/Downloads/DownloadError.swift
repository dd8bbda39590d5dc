import Glibc
import HTTPTransport
import LocalDatabase
import ProviderModel

/// Why a file was not downloaded, or no file can be.
public struct DownloadError: Error, CustomStringConvertible {
    /// The kind of a failure; `diskFull`, `readOnly` and `folderGone` end the run, others concern one file or the options.
    public enum Code: String, Sendable, CaseIterable {
        /// An option is not valid.
        case option
        /// The name template is not valid.
        case template
        /// An input is not valid.
        case input
        /// The provider failed to give the file's URL.
        case provider
        /// The image or its file does not exist, or not any more.
        case notFound
        /// A key is missing or was refused.
        case auth
        /// The image has no file.
        case noMedia
        /// The image's files are of kinds that are not wanted.
        case mediaKind
        /// The server answered with an error status.
        case status
        /// The connection failed or was refused.
        case transport
        /// The TLS handshake failed, or the certificate is not valid.
        case tls
        /// The response is not the listed image.
        case content
        /// The file is larger than the limit.
        case tooLarge
        /// The content does not match the server's length, digest or range.
        case damaged
        /// The file changed on the server during each attempt.
        case changing
        /// Another process is fetching the same file.
        case busy
        /// The file cannot be written.
        case file
        /// The disk is full.
        case diskFull
        /// The process may not write to the folder.
        case readOnly
        /// The folder was removed.
        case folderGone
        /// Metadata cannot be written: the library is missing.
        case metadata
        /// Pictures cannot be converted or compared: the program is missing.
        case pictures
        /// The archive or the credits cannot be used.
        case archive
        /// The host failed too often in a row, and is not asked for a while.
        case resting
        /// More downloads failed than may.
        case tooManyFailures
    }

    /// The kind of the failure.
    public var code: Code
    /// What was found, and what was expected.
    public var message: String
    /// The reference or URL that failed; nil for a failure of the whole run.
    public var subject: String?
    /// The position of the input in a list: `list.txt:17`.
    public var place: String?
    /// The HTTP status code, if the server answered.
    public var status: Int?
    /// The underlying error.
    public let cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of the failure.
    ///   - message: what was found and what was expected.
    ///   - subject: the reference or URL; a password in it is masked.
    ///   - place: the position of the input in a list, such as `list.txt:17`.
    ///   - status: the HTTP status code.
    ///   - cause: the underlying error.
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
        // Messages name files by URL or path only where the subject is a URL.
        guard let subject, subject.hasPrefix("http"), let url = try? WebURL(subject) else { return false }
        return message.contains(subject) || url.path != "/" && message.contains(url.path.quoted)
    }

    /// Whether no further file can be written.
    package var stopsEverything: Bool { [.diskFull, .readOnly, .folderGone, .tooManyFailures].contains(code) }

    /// The failure in a few words, the same for all errors of one kind.
    public var reason: String {
        switch code {
        case .option: "invalid option"
        case .template: "invalid name template"
        case .input: "invalid input"
        case .provider: "the provider failed"
        case .notFound: status.map { "gone (\($0))" } ?? "not found"
        case .auth: status.map { "missing or rejected key (\($0))" } ?? "missing or rejected key"
        case .noMedia: "no file"
        case .mediaKind: "a kind of file that is not wanted"
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
        case .pictures: "could not convert pictures"
        case .archive: "could not use the archive"
        case .resting: "not requested: the host failed too often"
        case .tooManyFailures: "too many downloads failed"
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

// MARK: - Other errors

extension DownloadError {
    /// Translates a failed system call; `action` is a verb such as "open".
    init(errno number: Int32, _ action: String, _ path: String) {
        let found = String(cString: strerror(number))
        switch number {
        case ENOSPC, EDQUOT, EFBIG: self.init(.diskFull, "no space left on the disk to \(action) \(path) (\(found))")
        case EROFS, EACCES, EPERM: self.init(.readOnly, "no permission to \(action) \(path) (\(found))")
        case ELOOP, ENOTDIR:
            let expected = number == ELOOP ? "a file" : "a folder"
            let refusal = OwnFile.linkRefusal(path, expected: expected)
            self.init(.file, refusal ?? "could not \(action) \(path): found a file (expected \(expected))")
        default: self.init(.file, "could not \(action) \(path) (\(found))")
        }
    }

    /// Translates a transport's error.
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

    /// Translates a provider's error.
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

    /// Translates an error of a folder's database; `action` is a phrase such as "use the archive".
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
