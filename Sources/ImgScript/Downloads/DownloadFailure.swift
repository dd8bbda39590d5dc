import Downloads
import HTTPTransport
import ProviderModel

extension ImageEngine {
    /// Why a file was not downloaded, or nothing can be.
    public struct DownloadFailure: Error, CustomStringConvertible {
        /// What a caller may handle differently.
        public enum Code: String, Sendable, CaseIterable {
            /// An option cannot be read.
            case option
            /// The template of names cannot be read.
            case template
            /// An input cannot be read.
            case input
            /// The provider could not say what to fetch.
            case provider
            /// There is no such image, or no such file any more.
            case notFound
            /// A key is missing or was refused.
            case auth
            /// There is no file that could be had.
            case noMedia
            /// The server said no.
            case status
            /// The connection failed, or may not be made.
            case transport
            /// The server's certificate is no good, or no secure connection came about.
            case tls
            /// What came is not the image that was promised.
            case content
            /// The file has more bytes than one may have.
            case tooLarge
            /// What came is not what the server said it would be.
            case damaged
            /// The file changed on the server again and again.
            case changing
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
        public var code: Code
        /// What was found, what was expected and what to do next.
        public var message: String
        /// What it is about, as a reference or an address; nil where it is about all.
        public var subject: String?
        /// Where that stands: `list.txt:17`.
        public var place: String?
        /// The server's status, where that is the matter.
        public var status: Int?
        /// What the user can change; the program says how.
        public var remedy: Remedy?

        /// A failure.
        public init(_ code: Code, _ message: String, subject: String? = nil, place: String? = nil, status: Int? = nil) {
            self.code = code
            self.message = message
            self.subject = subject?.maskingUserInfo
            self.place = place
            self.status = status
        }

        /// Where it stands, what it is about, and the message.
        public var description: String {
            [place, isNamed ? nil : subject].compactMap(\.self).map { "\($0): " }.joined() + message
        }

        /// Whether the message names its file by its address, or by the path of it, and need not begin with it.
        private var isNamed: Bool {
            guard let subject, subject.hasPrefix("http"), let url = try? WebURL(subject) else { return false }
            return message.contains(subject) || url.path != "/" && message.contains(url.path.quoted)
        }

        /// What failures of one kind have in common, in a few words.
        public var reason: String {
            switch code {
            case .option: "an option that cannot be read"
            case .template: "a name template that cannot be read"
            case .input: "input that cannot be read"
            case .provider: "the provider failed"
            case .notFound: status.map { "gone (\($0))" } ?? "not found"
            case .auth: status.map { "a key is missing or was refused (\($0))" } ?? "a key is missing or was refused"
            case .noMedia: "no file to be had"
            case .status: status.map(Self.meaning) ?? "the server said no"
            case .transport: "the connection failed or was refused"
            case .tls: "no secure connection"
            case .content: "not the image it should be"
            case .tooLarge: "larger than a file may be"
            case .damaged: "not whole"
            case .changing: "not whole, or changed while it was fetched"
            case .file: "cannot be written"
            case .diskFull: "no room on the disk"
            case .readOnly: "the folder may not be written"
            case .folderGone: "the folder is gone"
            case .metadata: "metadata cannot be written"
            case .archive: "the archive cannot be used"
            }
        }

        private static func meaning(of status: Int) -> String {
            switch status {
            case 401, 403: "refused (\(status))"
            case 429: "too many requests (\(status))"
            case 500...: "the server is at fault (\(status))"
            default: "answered \(status)"
            }
        }
    }
}

extension ImageEngine.DownloadFailure {
    init(_ error: DownloadError, subject: String? = nil, place: String? = nil) {
        if let cause = error.cause as? ProviderError {
            self.init(cause, subject: subject, place: place)
            return
        }
        let transport = error.cause as? TransportError
        // Files have a limit of their own, which is not the transport's.
        if let transport, transport.remedy == .raiseBodyLimit {
            self.init(.tooLarge, transport.message, subject: subject, place: place)
            remedy = .raiseFileLimit
            return
        }
        let isGone = error.status.map { [404, 410].contains($0) } ?? false
        let isInsecure = transport?.code == .tls
        let code: Code = isGone ? .notFound : isInsecure ? .tls : Code(rawValue: error.code.rawValue) ?? .file
        let message = [error.message, transport?.hint].compactMap(\.self).joined(separator: "; ")
        self.init(code, message, subject: subject, place: place, status: error.status)
        remedy = transport?.remedy
    }

    init(_ error: ProviderError, subject: String?, place: String?) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .auth: .auth
            case .transport: .transport
            // A word of the input names none that there is.
            case .provider where error.location == nil: .input
            default: .provider
            }
        // A subject names the provider already; a place in its script says more.
        let isNamed = error.provider.isEmpty || subject != nil && error.location == nil
        let message = isNamed ? error.message : error.description
        self.init(
            code, [message, error.hint].compactMap(\.self).joined(separator: "; "), subject: subject, place: place)
        remedy = error.remedy
    }

    /// Any error as one of these.
    init(any error: any Error, subject: String?, place: String?) {
        switch error {
        case let error as ImageEngine.DownloadFailure:
            self = error
            self.subject = self.subject ?? subject?.maskingUserInfo
            self.place = self.place ?? place
        case let error as DownloadError: self.init(error, subject: subject, place: place)
        case let error as ProviderError: self.init(error, subject: subject, place: place)
        default: self.init(.provider, "\(error)", subject: subject, place: place)
        }
    }
}
