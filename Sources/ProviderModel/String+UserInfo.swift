extension String {
    /// A URL's text with `***` in place of user name and password, so that it may be shown.
    package var maskingUserInfo: String {
        guard let scheme = place(of: "://") else { return self }
        let rest = self[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let end = authority.lastIndex(of: "@") else { return self }
        return self[..<scheme.upperBound] + "***" + self[end...]
    }
}
