import Foundation

/// A certificate for 127.0.0.1 that signs itself, and its key, made by `openssl`.
package struct TestCertificate: Sendable {
    private let folder: TemporaryFolder

    /// Makes one; one that is expired was valid for a minute in 2020.
    ///
    /// Throws where `openssl` is missing.
    package init(expired: Bool = false) throws {
        folder = TemporaryFolder()
        let name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key]
        guard expired else {
            try Self.openssl(["req", "-x509"] + newKey + name + ["-days", "2", "-out", path])
            return
        }
        let request = folder.path + "/request.pem"
        try Self.openssl(["req"] + newKey + name + ["-out", request])
        let configuration = folder.path + "/ca.cnf"
        FolderListing.write(
            """
            [ca]
            default_ca = own
            [own]
            database = \(folder.path)/index.txt
            new_certs_dir = \(folder.path)
            rand_serial = yes
            default_md = sha256
            policy = any
            copy_extensions = copy
            [any]
            commonName = supplied
            """, to: configuration)
        FolderListing.write("", to: folder.path + "/index.txt")
        try Self.openssl([
            "ca", "-batch", "-selfsign", "-config", configuration, "-keyfile", key, "-in", request, "-out", path,
            "-startdate", "20200101000000Z", "-enddate", "20200101000100Z", "-notext",
        ])
    }

    /// Whether one can be made here.
    package static var canBeMade: Bool { HelperProcess.path(of: "openssl") != nil }

    /// The certificate's file.
    package var path: String { folder.path + "/certificate.pem" }

    /// The key's file.
    package var key: String { folder.path + "/key.pem" }

    private static func openssl(_ arguments: [String]) throws {
        guard let program = HelperProcess.path(of: "openssl"), try HelperProcess.run(program, arguments) else {
            throw LoopbackError(message: "no certificate could be made: openssl is missing or failed")
        }
    }
}
