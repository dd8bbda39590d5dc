import ImgScript
import ProviderModel

extension Remedy {
    /// What to do, with the option or the command that does it.
    var hint: String {
        switch self {
        case .allowHost(let host): "allow it with --allow-host \(host) if you trust it"
        case .raiseBodyLimit: "raise the limit with --max-body"
        case .raiseFileLimit: "raise the limit with --max-file if the file should be so large"
        case .trustCertificate: "name the certificate of your own authority with --ca-file"
        case .goOnline: "go without --offline to ask the server"
        case .checkKeys: "imgscript auth set NAME stores other keys"
        case .updatePack: "imgscript pack update shows what the pack asks for now"
        }
    }
}

extension ProviderError {
    /// What to do next, with the options that help.
    var fullHint: String? {
        let hints = [hint, remedy?.hint].compactMap(\.self)
        return hints.isEmpty ? nil : hints.joined(separator: "; ")
    }
}

extension StatusLine {
    /// Says why a file was not downloaded.
    func error(_ failure: ImageEngine.DownloadFailure) { error(failure.description, hint: failure.remedy?.hint) }
}
