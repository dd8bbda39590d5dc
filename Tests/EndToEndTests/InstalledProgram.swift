import Foundation
import TestSupport

/// The built programs under a prefix of their own, with the providers that ship, as an installation has them.
struct InstalledProgram {
    private let prefix = TemporaryFolder()

    /// The program's path.
    var path: String { "\(prefix.path)/bin/imgscript" }

    init() throws {
        for folder in ["bin", "share/imgscript"] {
            try FileManager.default.createDirectory(
                atPath: "\(prefix.path)/\(folder)", withIntermediateDirectories: true)
        }
        for name in ["imgscript", "imgscript-worker"] {
            try Self.place(BuiltExecutable.path(of: name), at: "\(prefix.path)/bin/\(name)")
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(prefix.path)/share/imgscript/providers",
            withDestinationPath: Documentation.root.appending(path: "providers").path)
    }

    /// Puts a program at a path: a second name for it, or a copy on another disk.
    static func place(_ program: String, at path: String) throws {
        if link(program, path) != 0 { try FileManager.default.copyItem(atPath: program, toPath: path) }
    }
}
