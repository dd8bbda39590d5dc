import ProviderModel

/// Why a pack cannot be built, read, trusted or used.
package struct PackError: Error, CustomStringConvertible {
    /// What a caller may handle differently.
    package enum Code: String, Sendable, CaseIterable {
        /// A text is not a pack's name, or not a place that a pack can be fetched from.
        case name
        /// A text is not a version or a range, or nothing has that version.
        case version
        /// `package.json` is missing or says something that cannot be used.
        case manifest
        /// The pack's folder has files that a pack cannot hold.
        case files
        /// The pack's providers fail their checks.
        case conformance
        /// The archive is damaged, or made to do harm.
        case archive
        /// The archive, or what is in it, is larger than a pack may be.
        case tooLarge
        /// The archive is not the one that was promised.
        case integrity
        /// The pack is another one, or another version, than was asked for.
        case identity
        /// The signature is missing, damaged, or made with another key.
        case signature
        /// A key cannot be read, or is not fit for use.
        case key
        /// A key's password is missing or wrong.
        case password
        /// A provider of the pack does not load.
        case provider
        /// A file or folder cannot be read or written.
        case file
        /// A library or program of the system is missing or fails.
        case library
        /// A registry or a web server does not have it, or does not answer as it should.
        case registry
        /// A lockfile, or what belongs to it, cannot be used.
        case lockfile
        /// The user has not granted it.
        case permission
        /// There is no such pack on this machine.
        case notInstalled
        /// Another process is changing the same.
        case busy
        /// It is against a rule that the user can lift.
        case refused
    }

    /// What a caller may handle differently.
    package let code: Code
    /// What was found and what was expected.
    package let message: String
    /// Which pack, file or provider it is about.
    package let subject: String?
    /// What would help.
    package let hint: Hint?
    /// The error beneath.
    package let cause: (any Error)?

    /// An error.
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
