import ProviderModel

extension GitAddress {
    /// The sites whose repositories have a short form, as npm has them.
    private static let sites = ["github": "github.com", "gitlab": "gitlab.com", "bitbucket": "bitbucket.org"]

    /// The whole address that a short form stands for; nil when the text is none.
    ///
    /// Short forms are `github:anna/boards#v1.2.0`, the page of a repository on such a site, and git's own
    /// `git@host:anna/boards.git`.
    static func expanded(_ text: String) throws(PackError) -> String? {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let (place, reference) = (parts[0], parts.count > 1 ? "#\(parts[1])" : "")
        for (site, host) in sites {
            if place.hasPrefix("\(site):") {
                guard let path = repository(place.dropFirst(site.utf8.count + 1)) else {
                    throw PackError(
                        .name, "\(text.quoted) is no repository, expected \(site):OWNER/NAME or \(site):OWNER/NAME#TAG")
                }
                return "git+https://\(host)/\(path)\(reference)"
            }
            if place.hasPrefix("https://\(host)/"), let path = repository(place.dropFirst(host.utf8.count + 9)) {
                return "git+https://\(host)/\(path)\(reference)"
            }
        }
        return remote(place).map { "git+ssh://\($0)\(reference)" }
    }

    /// `OWNER/NAME` with the ending that repositories have; nil for any other path.
    private static func repository(_ path: Substring) -> String? {
        let path = path.hasSuffix("/") ? path.dropLast() : path
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, !path.hasSuffix(".tgz"), names.allSatisfy({ $0.first?.isLetterOrNumber ?? false })
        else {
            return nil
        }
        return path.hasSuffix(".git") ? String(path) : "\(path).git"
    }

    /// What git reads as user, host and path: `git@host.example:anna/boards.git`.
    private static func remote(_ text: Substring) -> String? {
        guard let at = text.firstIndex(of: "@"), let colon = text[at...].firstIndex(of: ":") else { return nil }
        let (user, host, path) = (text[..<at], text[text.index(after: at)..<colon], text[colon...].dropFirst())
        guard !user.isEmpty, !user.contains("/"), !user.contains(":"), host.contains("."), !path.isEmpty,
            !path.hasPrefix("/")
        else { return nil }
        return "\(user)@\(host)/\(path)"
    }
}

extension Character {
    fileprivate var isLetterOrNumber: Bool { isASCII && (isLetter || isNumber) }
}
