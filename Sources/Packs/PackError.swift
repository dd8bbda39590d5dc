import ProviderModel

/// Why a pack cannot be built, read, trusted or used.
package struct PackError: Error, CustomStringConvertible {
    /// The kind of a failure.
    package enum Code: String, Sendable, CaseIterable {
        /// A text is not the name of a pack, or not a source.
        case name
        /// A text is not a version or a range, or nothing has that version.
        case version
        /// `package.json` is missing or not valid.
        case manifest
        /// The pack's folder has files that a pack cannot hold.
        case files
        /// The pack's providers fail their checks.
        case conformance
        /// The archive is damaged or malicious.
        case archive
        /// The archive or its content exceeds a limit.
        case tooLarge
        /// The archive does not have the expected digest.
        case integrity
        /// The pack has another name or version than requested.
        case identity
        /// The signature is missing, damaged, or made with another key.
        case signature
        /// A key cannot be read, or is not suitable.
        case key
        /// A key's password is missing or wrong.
        case password
        /// A provider of the pack does not load.
        case provider
        /// A file or folder cannot be read or written.
        case file
        /// A library or program of the system is missing or fails.
        case library
        /// A registry or web server does not have it, or returned an error.
        case registry
        /// An index is unknown, not valid, or does not have it.
        case index
        /// A version was revoked by an index.
        case revoked
        /// A lockfile, or what belongs to it, cannot be used.
        case lockfile
        /// The user has not granted a permission.
        case permission
        /// The pack is not installed.
        case notInstalled
        /// Another process is changing the same.
        case busy
        /// A rule forbids it that the user can override.
        case refused
    }

    /// The kind of the failure.
    package let code: Code
    /// What was found and what was expected.
    package let message: String
    /// The pack, file or provider concerned.
    package let subject: String?
    /// What helps.
    package let hint: Hint?
    /// The underlying error.
    package let cause: (any Error)?

    /// Creates an error.
    package init(
        _ code: Code, _ message: String, subject: String? = nil, hint: Hint? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.hint = hint
        self.cause = cause
    }

    /// The same error about a subject.
    package func about(_ subject: String) -> PackError {
        PackError(code, message, subject: subject, hint: hint, cause: cause)
    }

    /// The subject and the message.
    package var description: String { subject.map { "\($0): \(message)" } ?? message }
}
