import ImgScript
import Packs
import ProviderModel

extension StatusLine {
    /// Prints an error, and the command or option that helps where there is one.
    func error(_ error: any Error) {
        switch error {
        case let error as ProviderError: self.error(error.description, hint: error.commandHint)
        case let error as PackError: self.error(error)
        default: self.error("\(error)")
        }
    }
}

extension ProviderError {
    /// What helps, with the commands and options of the program.
    var commandHint: String? {
        switch reason {
        case .missingKey(let server, let variables):
            let option = server.map { " --instance \($0)" } ?? ""
            return
                "imgscript auth set \(provider)\(option) stores a key (or set \(variables.joined(separator: ", "))); "
                + "--sample needs none"
        case .missingInstance(let help): return "--instance URL names a server" + (help.map { ": \($0)" } ?? "")
        case .unknownProvider: return "imgscript providers lists all providers"
        case .exceedsGrant(let pack):
            return "imgscript pack update \(pack) shows the permissions it asks for, and --accept hosts grants them"
        case .damagedPack: return "imgscript pack install --frozen repairs its files"
        case nil: return hint
        }
    }
}
