import FoundationEssentials
import ImgScript
import ProviderModel

/// The place in the user's settings of a parameter that a provider refuses.
enum SettingsHint {
    /// Names the setting and its place; nil where the parameter is in no setting.
    static func text(for error: ProviderError) -> String? {
        let environment = ProcessInfo.processInfo.environment
        guard error.code == .unsupported, Settings.exist(in: environment),
            // Settings that cannot be read are reported before.
            let settings = try? Settings(in: environment, profile: nil)
        else { return nil }
        let found = settings.values(for: error.provider).first { key, _ in
            guard key.hasPrefix("param.") else { return false }
            let name = key.dropFirst("param.".count)
            return error.message.contains("parameter \"\(name)\"") || error.message.hasPrefix("\(name): ")
        }
        guard let (key, value) = found else { return nil }
        let own = settings.file.main.providers[error.provider]?[key] == nil ? key : "providers.\(error.provider).\(key)"
        return "it is set in the settings (\(value.origin)); imgscript config unset \(own) removes it"
    }
}
