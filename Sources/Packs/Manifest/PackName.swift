import ProviderModel

/// The name of an npm package, with or without a scope: `@imgscript/core`, `dogs`.
package struct PackName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The scope with its `@`; nil without one.
    package let scope: String?
    /// The name within the scope.
    package let bareName: String

    /// Longer names are refused by npm and by registries.
    private static let maximumLength = 214
    /// Names that would be folders of npm's own.
    private static let reserved: Set<String> = ["node_modules", "favicon.ico"]

    /// Checks a name by npm's rules for new packages.
    package init(_ text: String) throws(PackError) {
        func refused(_ reason: String) -> PackError {
            PackError(
                .name, "\(text.quoted) is not a valid package name: \(reason)",
                hint: "names consist of a–z, 0–9, \"-\", \"_\" and \".\", with an optional scope: @scope/name")
        }
        guard !text.isEmpty else { throw refused("it is empty") }
        guard text.utf8.count <= Self.maximumLength else {
            throw refused("it has more than \(Self.maximumLength) characters")
        }
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if text.hasPrefix("@") {
            guard parts.count == 2, parts[0].count > 1 else { throw refused("expected @scope/name") }
            parts[0] = parts[0].dropFirst()
        } else if parts.count > 1 {
            throw refused("it has a \"/\" without a scope")
        }
        for part in parts {
            guard !part.isEmpty else { throw refused("a part of it is empty") }
            guard part.first != ".", part.first != "_" else { throw refused("it begins with \"\(part.prefix(1))\"") }
            guard !part.contains(where: \.isUppercase) else { throw refused("it has capital letters") }
            if let wrong = part.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
                throw refused("it has \(String(wrong).quoted)")
            }
            guard !Self.reserved.contains(String(part)) else { throw refused("the name is reserved by npm") }
        }
        scope = parts.count == 2 ? "@\(parts[0])" : nil
        bareName = String(parts[parts.count - 1])
    }

    /// The name as it is written.
    package var description: String { scope.map { "\($0)/\(bareName)" } ?? bareName }

    /// What npm names a tarball after: `imgscript-core`.
    package var fileStem: String { scope.map { "\($0.dropFirst())-\(bareName)" } ?? bareName }

    /// The name as one segment of a registry's path: `@imgscript%2fcore`.
    package var registryPath: String { scope.map { "\($0)%2f\(bareName)" } ?? bareName }

    /// Alphabetical order.
    package static func < (left: PackName, right: PackName) -> Bool { left.description < right.description }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
