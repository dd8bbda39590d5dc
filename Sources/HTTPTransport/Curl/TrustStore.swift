import Glibc

/// The certificate authorities that servers are verified with.
public struct TrustStore: Hashable, Sendable {
    private struct Location: Hashable, Sendable {
        var file: String?
        var folder: String?
    }

    /// The store that the environment names; nil for the system's.
    private let named: Location?
    /// The path of a PEM file with certificates that are trusted as well.
    public var extraFile: String?

    /// The path of a PEM file with all certificates, if one is used.
    public var file: String? { (named ?? Self.system).file }
    /// The path of a folder of certificates named by hash, if one is used: only those needed are read, which is faster.
    public var folder: String? { (named ?? Self.system).folder }

    private static let systemFolder = "/etc/ssl/certs"
    /// Where distributions keep all certificates in one file.
    static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    private static let system =
        hasHashes(systemFolder)
        ? Location(folder: systemFolder) : Location(file: systemFiles.first { access($0, R_OK) == 0 })

    /// Reads `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and `SSL_CERT_DIR` as curl and OpenSSL do; without them it is the system's store.
    ///
    /// - Parameters:
    ///   - environment: the variables by name.
    ///   - extraFile: the path of a PEM file with certificates that are trusted as well.
    public init(environment: [String: String], extraFile: String? = nil) {
        self.extraFile = extraFile
        func path(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        if let bundle = path("CURL_CA_BUNDLE") {
            named = Location(file: bundle)
        } else if path("SSL_CERT_FILE") != nil || path("SSL_CERT_DIR") != nil {
            named = Location(file: path("SSL_CERT_FILE"), folder: path("SSL_CERT_DIR"))
        } else {
            named = nil
        }
    }

    /// Checks that the extra certificates can be read, before a connection needs them.
    ///
    /// - Throws: `TransportError` with the code `tls` when they cannot.
    package func checkExtraFile() throws(TransportError) {
        if let extraFile { _ = try Self.contents(of: extraFile) }
    }

    /// The extra certificates, after those of the other file if there is one: libcurl takes only one file.
    ///
    /// nil without an extra file. One that cannot be read is an error here, because libcurl ignores it.
    func bundle() -> Result<CertificateBundle?, TransportError> {
        guard let extraFile else { return .success(nil) }
        return Result { () throws(TransportError) in
            let others = try file.map { (path) throws(TransportError) in try Self.contents(of: path) + [0x0a] } ?? []
            return CertificateBundle(others + (try Self.contents(of: extraFile)))
        }
    }

    private static func contents(of path: String) throws(TransportError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard let bytes = descriptor >= 0 ? descriptor.readToEnd() : nil else {
            throw TransportError(
                .tls, message: "could not read the certificates in \(path): \(String(cString: strerror(errno)))",
                hint: "check the path and the permissions of the file")
        }
        return bytes
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

/// Certificates in memory, for libcurl to read as long as this lives: too many for a copy in each handle.
final class CertificateBundle: Sendable {
    // Never written after `init`.
    nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    init(_ contents: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: contents.count, alignment: 1)
        copy.copyBytes(from: contents)
        bytes = UnsafeRawBufferPointer(copy)
    }

    deinit { bytes.deallocate() }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}
