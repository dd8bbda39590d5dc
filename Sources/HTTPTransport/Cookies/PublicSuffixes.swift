import CPSL

/// The Public Suffix List: the domains below which anybody may register names, such as `co.uk`.
enum PublicSuffixes {
    // The newest of the system's list and the one that libpsl was built with; it is never changed.
    nonisolated(unsafe) private static let list = psl_latest(nil)

    /// Whether a domain, in lower case and ASCII, is of no single owner.
    static func contains(_ domain: String) -> Bool {
        guard let list else { return !domain.contains(".") }
        return psl_is_public_suffix(list, domain) != 0
    }
}
