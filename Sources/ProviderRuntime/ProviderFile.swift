import Glibc
import ProviderModel

/// A provider's file on disk.
package struct ProviderFile: Hashable, Sendable {
    /// The provider's id, which is the file's name.
    package let id: ProviderID
    /// The folder of the file.
    package let folder: String
    /// The pack's folder, which contains its modules; the file's own folder without a pack.
    package let root: String
    /// The granted permissions of an installed pack's provider; nil for other files.
    package let installed: InstalledProvider?

    /// The file of a provider in a folder, of a pack that lies in `root` if there is one.
    package init(id: ProviderID, folder: String, root: String? = nil) {
        self.id = id
        self.folder = folder
        self.root = root ?? folder
        installed = nil
    }

    /// The file of a provider in a folder of an installed pack.
    init(id: ProviderID, folder: String, installed: InstalledProvider) {
        self.id = id
        self.folder = folder
        root = installed.root
        self.installed = installed
    }

    /// The file's path.
    package var path: String { folder.path(to: "\(id).js") }

    /// The name and version of the pack that the file lies in; nil for a file without a pack.
    package var pack: (name: String, version: String)? {
        if let installed { return (installed.pack, installed.version) }
        guard let facts = PackFacts(in: root), let name = facts.name, let version = facts.version else { return nil }
        return (name, version)
    }

    /// The page where the pack of the file wants faults reported; nil where it names none.
    package var bugs: String? { PackFacts(in: root)?.bugs }

    /// The largest file that is read; a provider is a few kilobytes.
    private static let sizeLimit = 1 << 20

    /// U+FEFF in UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The file for a worker: its text, and its modules on request.
    package func source() throws(ProviderError) -> ScriptSource {
        try installed?.checkRevocation(of: id)
        let text: String
        let (root, installed) = (root, installed)
        let name = nameInPack
        do throws(ModuleNotFound) {
            // A user's own file may be a link to anywhere; that of a pack stays in the pack.
            text =
                installed == nil
                ? try Self.text(Self.read(path), of: path) : try Self.module(name, in: root, of: installed)
        } catch {
            throw ProviderError(
                .provider, provider: id.description,
                message: installed.map { "\($0.pack) \($0.version): \(error.reason)" } ?? error.reason,
                hint: installed.map { _ in .restorePacks })
        }
        return ScriptSource(file: name, text: text) { name throws(ModuleNotFound) in
            do throws(ModuleNotFound) { return try Self.module(name, in: root, of: installed) } catch {
                guard installed != nil else { throw error }
                throw ModuleNotFound("\(error.reason); install the pack again")
            }
        }
    }

    /// The file as its pack names it: `sites/newsite.js`.
    package var nameInPack: String {
        folder.hasPrefix(root + "/") ? "\(folder.dropFirst(root.count + 1))/\(id).js" : "\(id).js"
    }

    /// Reads a module, which has to be in the pack's folder after links are resolved; that of an installed pack has to be
    /// unchanged.
    private static func module(
        _ name: String, in folder: String, of installed: InstalledProvider?
    ) throws(ModuleNotFound) -> String {
        guard let root = resolved(folder), let path = resolved(folder.path(to: name)) else {
            throw ModuleNotFound("no such file beside the provider: \(name)")
        }
        guard path.hasPrefix(root.path(to: "")) else {
            throw ModuleNotFound("\(name) leads out of the provider's folder")
        }
        let bytes = try read(path)
        try installed?.check(bytes, of: String(path.dropFirst(root.path(to: "").count)))
        return try text(bytes, of: path)
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The bytes of a script.
    static func read(_ path: String) throws(ModuleNotFound) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw ModuleNotFound("could not read \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ModuleNotFound("\(path) is not a file")
        }
        guard status.st_size <= sizeLimit else {
            throw ModuleNotFound("\(path) has \(status.st_size) bytes (expected at most \(sizeLimit))")
        }
        guard let bytes = file.readToEnd(limit: sizeLimit + 1) else {
            throw ModuleNotFound("could not read \(path): \(String(cString: strerror(errno)))")
        }
        return bytes
    }

    private static func text(_ bytes: [UInt8], of path: String) throws(ModuleNotFound) -> String {
        // A byte order mark, which some editors write, would count as the first column.
        guard let text = String(validating: bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...], as: UTF8.self)
        else {
            throw ModuleNotFound("\(path) is not UTF-8 text")
        }
        return text
    }
}

/// A provider's file, and the way to the modules it may load.
package struct ScriptSource: Sendable {
    /// The file's name in its pack, as errors show it: `pixabay.js`.
    package var file: String
    /// The file's text.
    package var text: String
    /// Reads a module by its path in the pack; the error says why there is none.
    package var module: @Sendable (String) throws(ModuleNotFound) -> String

    /// A file without modules.
    package init(file: String, text: String) {
        self.init(file: file, text: text) { path throws(ModuleNotFound) in
            throw ModuleNotFound("\(path) is not in this pack")
        }
    }

    /// A file in a pack.
    package init(
        file: String, text: String, module: @escaping @Sendable (String) throws(ModuleNotFound) -> String
    ) {
        self.file = file
        self.text = text
        self.module = module
    }
}

/// Why a module cannot be loaded.
package struct ModuleNotFound: Error {
    /// The reason, for the script's author.
    package let reason: String

    /// Creates an error.
    package init(_ reason: String) { self.reason = reason }
}
