/// A browser whose cookies can be read.
package enum Browser: String, Sendable, CaseIterable {
    case firefox, librewolf, zen, floorp, chromium, chrome, brave, edge, vivaldi, opera

    /// The way in which a browser keeps its profiles and cookies.
    enum Engine {
        case firefox, chromium
    }

    /// The folder names of a browser, and what it is called in packages.
    struct Names {
        /// Below the home folder.
        var home: [String] = []
        /// Below the folder of configurations.
        var configuration: [String] = []
        /// As a flatpak.
        var flatpak: [String] = []
        /// As a snap.
        var snap: [String] = []
        /// Below a snap's own folder.
        var inSnap: [String] = []
    }

    var engine: Engine {
        switch self {
        case .firefox, .librewolf, .zen, .floorp: .firefox
        case .chromium, .chrome, .brave, .edge, .vivaldi, .opera: .chromium
        }
    }

    private var names: Names {
        switch self {
        case .firefox:
            Names(
                home: [".mozilla/firefox"], configuration: ["mozilla/firefox"], flatpak: ["org.mozilla.firefox"],
                snap: ["firefox"])
        case .librewolf:
            Names(
                home: [".librewolf"], configuration: ["librewolf/librewolf", "librewolf"],
                flatpak: ["io.gitlab.librewolf-community"], snap: ["librewolf"])
        case .zen: Names(home: [".zen"], configuration: ["zen"], flatpak: ["app.zen_browser.zen"])
        case .floorp: Names(home: [".floorp"], configuration: ["floorp"], flatpak: ["one.ablaze.floorp"])
        case .chromium:
            Names(
                configuration: ["chromium"],
                flatpak: ["org.chromium.Chromium", "io.github.ungoogled_software.ungoogled_chromium"],
                snap: ["chromium"], inSnap: ["chromium"])
        case .chrome: Names(configuration: ["google-chrome"], flatpak: ["com.google.Chrome"])
        case .brave:
            Names(configuration: ["BraveSoftware/Brave-Browser"], flatpak: ["com.brave.Browser"], snap: ["brave"])
        case .edge: Names(configuration: ["microsoft-edge"], flatpak: ["com.microsoft.Edge"])
        case .vivaldi:
            Names(configuration: ["vivaldi"], flatpak: ["com.vivaldi.Vivaldi"], snap: ["vivaldi"])
        case .opera: Names(configuration: ["opera"], flatpak: ["com.opera.Opera"], snap: ["opera"])
        }
    }

    /// The application by whose name Chromium stores its password in the Secret Service, and in KWallet.
    var keyringNames: (service: String, wallet: String) {
        switch self {
        // These two are built with the name of the browser that they are made of.
        case .chrome, .vivaldi: ("chrome", "Chrome")
        case .brave: ("brave", "Brave")
        default: ("chromium", "Chromium")
        }
    }

    /// The folders with profiles, of the usual packages: the distribution's own, then flatpaks and snaps.
    ///
    /// - Parameters:
    ///   - home: the home folder.
    ///   - environment: `XDG_CONFIG_HOME`, which Chromium heeds, and Firefox since 147, and `CHROME_CONFIG_HOME`.
    /// - Returns: the folders where profiles may be, whether they exist or not.
    func folders(home: String, environment: [String: String]) -> [String] {
        let variables = engine == .chromium ? ["CHROME_CONFIG_HOME", "XDG_CONFIG_HOME"] : ["XDG_CONFIG_HOME"]
        let chosen = variables.compactMap { environment[$0] }.filter { $0.hasPrefix("/") }
        let names = names
        var folders = names.home.map { "\(home)/\($0)" }
        for configuration in chosen + ["\(home)/.config"] {
            folders += names.configuration.map { "\(configuration)/\($0)" }
        }
        for flatpak in names.flatpak.map({ "\(home)/.var/app/\($0)" }) {
            folders += names.home.map { "\(flatpak)/\($0)" } + names.configuration.map { "\(flatpak)/config/\($0)" }
        }
        for snap in names.snap.flatMap({ ["\(home)/snap/\($0)/common", "\(home)/snap/\($0)/current"] }) {
            folders += names.inSnap.map { "\(snap)/\($0)" } + names.home.map { "\(snap)/\($0)" }
            folders += names.configuration.map { "\(snap)/.config/\($0)" }
        }
        return folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
