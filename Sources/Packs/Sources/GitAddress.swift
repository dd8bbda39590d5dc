import ProviderModel

/// A git repository and a reference in it: `git+https://host/pack.git#v1.2.0`.
package struct GitAddress: Hashable, Sendable, CustomStringConvertible {
    /// How git reaches a repository; others, `ext` above all, run programs.
    enum Access: String, CaseIterable {
        case https
        case http
        case ssh
        case file
    }

    /// The repository, as git takes it.
    let repository: String
    /// How git reaches it.
    let access: Access
    /// A branch, a tag or a commit; nil for the repository's default branch.
    package let reference: String?

    /// Reads a git address; nil when the text is none.
    init?(_ typed: String) throws(PackError) {
        let text = try Self.expanded(typed) ?? typed
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var repository = parts[0]
        if repository.hasPrefix("git+") {
            repository = String(repository.dropFirst(4))
        } else {
            let isGit =
                repository.hasPrefix("git://") || repository.hasPrefix("ssh://")
                || (repository.hasPrefix("http") && repository.contains("://") && repository.hasSuffix(".git"))
            guard isGit else { return nil }
        }
        let scheme = String(repository.prefix { $0 != ":" })
        guard repository.hasPrefix("\(scheme)://"), let access = Access(rawValue: scheme) else {
            throw PackError(
                .name,
                "\(text.maskingUserInfo.quoted) uses \(scheme.quoted) (expected git+https, git+ssh or git+file)",
                subject: text.maskingUserInfo)
        }
        try self.init(repository: repository, access: access, reference: parts.count > 1 ? parts[1] : nil)
    }

    private init(repository: String, access: Access, reference: String?) throws(PackError) {
        let rest = repository.dropFirst(access.rawValue.count + 3)
        let isPlain = rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && !rest.hasPrefix("-") && !rest.isEmpty
        guard isPlain, !rest.contains("@-") else {
            throw PackError(.name, "\(repository.maskingUserInfo.quoted) is not the URL of a git repository")
        }
        if access == .https || access == .http {
            do throws(InvalidURL) { _ = try WebURL(repository) } catch {
                // What was typed may hold a password, which is not repeated.
                throw PackError(
                    .name, "invalid URL of a git repository",
                    hint:
                        "expected git+https://HOST/PATH.git, without user name and password; git+ssh uses your ssh keys"
                )
            }
        }
        if let reference {
            let isName = reference.utf8.allSatisfy { byte in
                (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-_./+@".utf8.contains(byte)
            }
            guard isName, let first = reference.first, first != "-", !reference.contains("..") else {
                throw PackError(.name, "\(reference.quoted) is not a valid branch, tag or commit")
            }
        }
        self.repository = repository
        self.access = access
        self.reference = reference
    }

    /// The repository without a reference and without keys.
    var place: String { "git+\(AddressSecrets.masked(repository))" }

    /// The address at one commit.
    func at(_ commit: String) -> String { "\(place)#\(commit)" }

    package var description: String { "\(place)\(reference.map { "#\($0)" } ?? "")" }
}

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
                        .name,
                        "\(text.quoted) is not a repository (expected \(site):OWNER/NAME or \(site):OWNER/NAME#TAG)")
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
