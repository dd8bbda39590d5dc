import ImgScript
import Packs
import ProviderModel

extension StatusLine {
    /// Prints an error, and the command or option that helps where there is one.
    func error(_ error: any Error) {
        switch error {
        case let error as ProviderError: self.error(error.description, hint: ErrorHint.hint(for: error))
        case let error as PackError: self.error(error)
        default: self.error("\(error)", hint: ErrorHint.hint(for: error))
        }
    }
}

/// The commands and options that help after an error, by its code.
enum ErrorHint {
    /// What helps after an error; its own hint where no command does.
    static func hint(for error: any Error) -> String? {
        guard let error = error as? ProviderError else { return nil }
        return hint(for: error) ?? error.hint
    }

    private static func hint(for error: ProviderError) -> String? {
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
}
