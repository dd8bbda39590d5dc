import Packs

extension PackError {
    /// The exit code of a command that this error ends.
    var status: ExitStatus {
        switch code {
        case .name, .version: .usage
        case .notInstalled: .notFound
        default: .failure
        }
    }
}

extension PackError {
    /// The message, after the subject where it does not name it itself.
    var fullMessage: String { subject.map { message.contains($0) } ?? true ? message : description }
}
