import HTTPTransport
import ImgScript
import Packs
import ProviderModel

extension StatusLine {
    /// Prints an error, and the command or option that helps where there is one.
    func error(_ error: any Error) {
        switch error {
        case let error as ProviderError: self.error(error.description, hint: ErrorHint.hint(for: error))
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
            case let error as ProviderError: (hint(forReasonOf: error) ?? error.hint, error.remedy)
            case let error as TransportError: (error.hint, error.remedy)
            case let error as DownloadError: (error.hint ?? error.cause.flatMap(hint(for:)), nil)
            default: (nil, nil)
            }
        let hints = [hint, remedy.map(text(of:))].compactMap(\.self)
        return hints.isEmpty ? nil : hints.joined(separator: "; ")
    }

    private static func hint(forReasonOf error: ProviderError) -> String? {
        switch error.reason {
        case .missingKey(let server, let variables):
            let option = server.map { " --instance \($0)" } ?? ""
            let names = variables.joined(separator: ", ")
            return "imgscript auth set \(error.provider)\(option) stores a key (or set \(names)); --sample needs none"
        case .missingInstance(let help):
            return "name one with --instance https://…" + (help.map { "; \($0)" } ?? "")
        case .unknownProvider: return "imgscript providers lists all providers"
        case .exceedsGrant(let pack):
            return "imgscript pack update \(pack) restores its files and shows what a newer version asks for, which "
                + "--accept hosts allows; imgscript pack remove \(pack) removes it"
        case .damagedPack: return "imgscript pack install --frozen restores its files"
        // A key that was refused.
        case nil where error.code == .auth && error.hint == nil && !error.provider.isEmpty:
            return "imgscript auth set \(error.provider) stores a key"
        case nil: return nil
        }
    }

    /// The option or the command that a remedy is.
    static func text(of remedy: Remedy) -> String {
        switch remedy {
        case .allowHost(let host): "allow it with --allow-host \(host) if you trust it"
        case .raiseBodyLimit: "raise the limit with --max-body"
        case .trustCertificate: "name the certificate of your own authority with --ca-file"
        case .goOnline: "go without --offline to ask the server"
        case .checkKeys: "imgscript auth set NAME stores other keys"
        case .updatePack: "imgscript pack update shows what the pack asks for now"
        }
    }
}
