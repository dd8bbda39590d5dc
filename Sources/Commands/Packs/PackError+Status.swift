import Packs

extension PackError {
    /// The exit code of a command that this ended.
    var status: ExitStatus {
        switch code {
        case .name, .version: .usage
        case .notInstalled: .notFound
        default: .failure
        }
    }
}

extension StatusLine {
    /// Says what went wrong with a pack.
    func error(_ error: PackError) {
        let isNamed = error.subject.map { error.message.contains($0) } ?? true
        self.error(
            isNamed ? error.message : error.description,
            hint: error.hint ?? error.cause.flatMap { ErrorHint.hint(for: $0) })
    }
}
