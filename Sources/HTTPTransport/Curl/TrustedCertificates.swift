import CCurl
import Synchronization

/// What handles are told of whom to trust, besides the names of files.
struct TrustedFiles {
    /// The contents of two files; nil where there is but one.
    let bytes: SharedBytes?
    /// The same as they are in memory.
    let certificates: TrustedCertificates
}

/// The certificates of a bundle and of a file besides, read once for all connections of all threads.
///
/// libcurl takes two files only as bytes, and those it reads anew for each connection: a system's bundle takes 20 ms.
final class TrustedCertificates: Sendable {
    /// OpenSSL locks what it keeps in there.
    private struct Store: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer?
    }

    private let trust: TrustStore
    private let store = Mutex<Store?>(nil)

    init(_ trust: TrustStore) { self.trust = trust }

    deinit { if let pointer = store.withLock({ $0?.pointer }) { ccurl_free_certificates(pointer) } }

    /// Has a handle trust these; false where it has to be told of the files: there are no two, or OpenSSL does not read them.
    func trust(_ easy: CurlEasy) -> Bool {
        guard let file = trust.file, let extraFile = trust.extraFile else { return false }
        let read = store.withLock { store in
            let read = store ?? Store(pointer: ccurl_read_certificates(file, extraFile, trust.folder))
            store = read
            return read
        }
        guard let pointer = read.pointer else { return false }
        return ccurl_trust_certificates(easy.handle, pointer) == CURLE_OK
    }
}
