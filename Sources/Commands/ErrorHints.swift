import HTTPTransport
import ImgScript
import Packs
import ProviderModel

extension StatusLine {
    /// Prints an error, and the command or option that helps where there is one.
    func error(_ error: any Error) {
        switch error {
        case let error as PackError: self.error(error)
        case let error as TransportError: self.error(error.message, hint: ErrorHint.hint(for: error))
        default: self.error("\(error)", hint: ErrorHint.hint(for: error))
        }
    }
}

/// The commands and options that help after an error.
enum ErrorHint {
    /// The error's own hint and the option that helps, on one line; nil when there is neither.
    static func hint(for error: any Error) -> String? {
        let (hint, remedy): (String?, Remedy?) =
            switch error {
            case let error as ProviderError: (error.hint ?? command(for: error), error.remedy)
            case let error as TransportError: (error.hint, error.remedy)
            case let error as ImageEngine.DownloadFailure: (nil, error.remedy)
            default: (nil, nil)
            }
        let hints = [hint, remedy.map(text(of:))].compactMap(\.self)
        return hints.isEmpty ? nil : hints.joined(separator: "; ")
    }

    private static func command(for error: ProviderError) -> String? {
        switch error.code {
        case .auth where !error.provider.isEmpty: "imgscript auth set \(error.provider) stores a key"
        default: nil
        }
    }

    private static func text(of remedy: Remedy) -> String {
        switch remedy {
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
