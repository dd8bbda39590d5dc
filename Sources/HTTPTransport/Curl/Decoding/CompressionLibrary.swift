import Glibc

/// A library that unpacks bodies: those that libcurl has loaded for itself, so that nothing more need be installed.
struct CompressionLibrary: @unchecked Sendable {
    /// Never closed, and only read: what is found in it stays valid in every thread.
    private let handle: UnsafeMutableRawPointer

    /// Opens a library; nil when it is not there.
    init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        self.handle = handle
    }

    /// A function of the library; `Function` has to be the type that its header gives it.
    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }
}
