import Glibc

/// The certificates that servers are measured by.
public struct TrustStore: Hashable, Sendable {
    /// A file of certificates.
    public var file: String?
    /// A folder of certificates named by their hashes: only those needed are read, which is faster than a whole file.
    public var folder: String?
    /// A file of certificates trusted besides the system's.
    public var extraFile: String?

    private static let systemFolder = "/etc/ssl/certs"
    /// Where distributions keep all certificates in one file.
    static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// What the environment names, as curl and OpenSSL have it; without that, the system's store.
    public init(environment: [String: String], extraFile: String? = nil) {
        self.extraFile = extraFile
        func named(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        if let bundle = named("CURL_CA_BUNDLE") {
            file = bundle
        } else if named("SSL_CERT_FILE") != nil || named("SSL_CERT_DIR") != nil {
            file = named("SSL_CERT_FILE")
            folder = named("SSL_CERT_DIR")
        } else if Self.hasHashes(Self.systemFolder) {
            folder = Self.systemFolder
        } else {
            file = Self.bundles.first { access($0, R_OK) == 0 }
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
