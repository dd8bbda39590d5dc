import Glibc

/// Where the program's own files lie: beside it when built, under its prefix when installed.
struct Installation {
    /// Folders with the providers that ship with the program.
    let providerFolders: [String]
    /// The worker's executable.
    let worker: String
    /// The executable of the gallery.
    let gallery: String

    init(environment: [String: String]) { self.init(namedWorker: environment["IMGSCRIPT_WORKER"]) }

    private init(namedWorker: String?) {
        let bin = Self.folder(of: Self.executable)
        let prefix = Self.folder(of: bin)
        providerFolders = ["\(prefix)/share/imgscript/providers"]
        let named = namedWorker.flatMap { $0.isEmpty ? nil : $0 }
        worker = named ?? Self.program("imgscript-worker", bin, prefix)
        gallery = Self.program("imgscript-gallery", bin, prefix)
    }

    /// A program beside this one, or where it is installed.
    private static func program(_ name: String, _ bin: String, _ prefix: String) -> String {
        let candidates = ["\(bin)/\(name)", "\(prefix)/libexec/imgscript/\(name)"]
        return candidates.first { access($0, X_OK) == 0 } ?? candidates[0]
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private static var executable: String {
        guard let path = realpath("/proc/self/exe", nil) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }
}
