import Glibc

/// The certificates that servers are measured by.
public struct TrustStore: Hashable, Sendable {
    /// Where certificates are.
    private struct Place: Hashable, Sendable {
        var file: String?
        var folder: String?
    }

    /// What the environment names; nil for the system's store.
    private let named: Place?
    /// A file of certificates trusted besides the system's.
    public var extraFile: String?

    /// A file of certificates.
    public var file: String? { (named ?? Self.system).file }
    /// A folder of certificates named by their hashes: only those needed are read, which is faster than a whole file.
    public var folder: String? { (named ?? Self.system).folder }

    private static let systemFolder = "/etc/ssl/certs"
    /// Where distributions keep all certificates in one file.
    static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// The system's store, looked for when the first connection needs it: what is there already needs none.
    private static let system =
        hasHashes(systemFolder)
        ? Place(folder: systemFolder) : Place(file: bundles.first { access($0, R_OK) == 0 })

    /// What the environment names, as curl and OpenSSL have it; without that, the system's store.
    public init(environment: [String: String], extraFile: String? = nil) {
        self.extraFile = extraFile
        func path(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        if let bundle = path("CURL_CA_BUNDLE") {
            named = Place(file: bundle)
        } else if path("SSL_CERT_FILE") != nil || path("SSL_CERT_DIR") != nil {
            named = Place(file: path("SSL_CERT_FILE"), folder: path("SSL_CERT_DIR"))
        } else {
            named = nil
        }
    }

    /// Whether OpenSSL finds certificates in the folder: names such as `002c0b4f.0`.
    private static func hasHashes(_ folder: String) -> Bool {
        guard let stream = opendir(folder) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let isHash = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name.count > 9 && name[..<8].allSatisfy(\.isHexDigit) && name[8] == UInt8(ascii: ".") && name[9] == 0x30
            }
            if isHash { return true }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}
