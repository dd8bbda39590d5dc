/// A file's path inside a pack, which means the same on every system and never leads out of the pack.
struct PackPath: Hashable, Sendable, CustomStringConvertible {
    /// The path, relative to the pack's folder.
    let description: String

    /// The limits of usual file systems.
    private static let maximumNameLength = 255
    private static let maximumLength = 1_000
    private static let maximumDepth = 32

    /// Why a path is refused.
    struct Refusal: Error {
        let reason: String
    }

    /// Checks a path; the error says what is wrong with it as the end of "the name … ".
    init(_ path: String) throws(Refusal) {
        func check(_ isGood: Bool, _ reason: String) throws(Refusal) {
            guard isGood else { throw Refusal(reason: reason) }
        }
        try check(!path.isEmpty, "is empty")
        try check(!path.hasPrefix("/"), "is absolute")
        try check(path.utf8.count <= Self.maximumLength, "has more than \(Self.maximumLength) bytes")
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        try check(!names.contains(".."), "leads out of the pack with \"..\"")
        try check(!names.contains { $0.isEmpty || $0 == "." }, "has an empty part")
        try check(names.count <= Self.maximumDepth, "is more than \(Self.maximumDepth) folders deep")
        try check(
            !names.contains { $0.utf8.count > Self.maximumNameLength },
            "has a part of more than \(Self.maximumNameLength) bytes")
        try check(!path.contains("\\"), "has a \"\\\", which separates folders on other systems")
        try check(path.unicodeScalars.allSatisfy(\.isVisible), "has invisible characters")
        description = path
    }

    /// The folders it lies in, outermost first.
    var folders: [String] {
        var folders: [String] = []
        for name in description.split(separator: "/").dropLast() {
            folders.append(folders.last.map { "\($0)/\(name)" } ?? String(name))
        }
        return folders
    }
}

extension Unicode.Scalar {
    /// Whether a reader sees it, and it does nothing else on a terminal.
    var isVisible: Bool {
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}

/// Paths that can lie side by side on every file system, also on one that takes `A` and `a` for the same.
struct PackPathSet {
    private enum Kind {
        case file, folder
    }

    /// The spelling and the kind of each path, by what a case-insensitive file system makes of it.
    private var known: [String: (spelling: String, kind: Kind)] = [:]

    /// Adds a file.
    mutating func insert(file path: PackPath) throws(PackPath.Refusal) {
        for folder in path.folders { try insert(folder: folder) }
        if let other = known[Self.folded(path.description)] {
            throw PackPath.Refusal(
                reason: other.kind == .folder
                    ? "is a file and a folder"
                    : other.spelling.utf8.elementsEqual(path.description.utf8)
                        ? "occurs twice"
                        : "differs from \"\(other.spelling)\" only in upper and lower case or Unicode form")
        }
        known[Self.folded(path.description)] = (path.description, .file)
    }

    /// Adds a folder, which may be named any number of times.
    mutating func insert(folder: String) throws(PackPath.Refusal) {
        guard let other = known[Self.folded(folder)] else {
            known[Self.folded(folder)] = (folder, .folder)
            return
        }
        guard other.kind == .folder else { throw PackPath.Refusal(reason: "is a file and a folder") }
        guard other.spelling.utf8.elementsEqual(folder.utf8) else {
            throw PackPath.Refusal(
                reason: "differs from \"\(other.spelling)\" only in upper and lower case or Unicode form")
        }
    }

    /// Strings that are canonically equivalent are equal in Swift, so composed and decomposed letters meet here too.
    private static func folded(_ path: String) -> String { path.lowercased().uppercased().lowercased() }
}

/// A file of a pack.
package struct PackedFile: Hashable, Sendable {
    /// The path inside the pack.
    package let path: String
    /// How many bytes it has.
    package let size: Int
}
