import Glibc

/// The `imgscript-worker` that was built beside the tests.
package enum BuiltWorker {
    /// Its path; `IMGSCRIPT_WORKER` names another.
    package static let path =
        getenv("IMGSCRIPT_WORKER").map { String(cString: $0) } ?? BuiltExecutable.path(of: "imgscript-worker")
}

/// Executables of the package, which are built into one folder with its tests.
package enum BuiltExecutable {
    /// The path of one of them: in the folder `IMGSCRIPT_EXECUTABLES` where it is there, else beside the tests.
    package static func path(of name: String) -> String {
        if let folder = getenv("IMGSCRIPT_EXECUTABLES") {
            let path = "\(String(cString: folder))/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        let tests = String(decoding: target(ofLink: "/proc/self/exe"), as: UTF8.self)
        return tests.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" } + "/\(name)"
    }

    private static func target(ofLink path: String) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { max(0, readlink(path, $0.baseAddress!, $0.count)) }
        }
    }
}
