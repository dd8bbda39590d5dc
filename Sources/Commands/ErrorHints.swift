import HTTPTransport
import ImgScript
import Packs
import ProviderModel

extension StatusLine {
    /// Prints an error, and the command or option that helps where there is one.
    func error(_ error: any Error) {
        switch error {
        case let error as ProviderError: self.error(error.description, hint: error.hint ?? ErrorHint.hint(for: error))
        case let error as PackError: self.error(error)
        default: self.error("\(error)", hint: ErrorHint.hint(for: error))
        }
    }
}

/// The commands and options that help after an error, by its code.
enum ErrorHint {
    /// A line for an error that says none itself.
    static func hint(for error: any Error) -> String? {
        switch error {
        case let error as ProviderError: hint(for: error)
        case let error as TransportError: hint(for: error)
        default: nil
        }
    }

    private static func hint(for error: ProviderError) -> String? {
        switch error.code {
        case .auth where !error.provider.isEmpty: "imgscript auth set \(error.provider) stores a key"
        default: nil
        }
    }

    private static func hint(for error: TransportError) -> String? { nil }
}
