import TestSupport
import Testing

/// What may go wrong on the way to a server with TLS: the right file, or one clear sentence.
@Suite(.enabled(if: TestCertificate.canBeMade, "openssl is not installed"))
struct SecureDownloadFaultTests {
    private let source: FoxSource
    private static let image = FoxSource.image(1)

    init() throws { source = try FoxSource() }

    private func download(_ url: String, _ arguments: [String] = []) throws -> CommandRun {
        try source.download([url, "--allow-host", "127.0.0.1", "--allow-host", "localhost"] + arguments)
    }

    @Test func untrustedCertificateIsOneClearError() throws {
        let certificate = try TestCertificate()
        let server = try SecureRawServer(certificate: certificate.path, key: certificate.key) { _ in }
        let run = try download("https://127.0.0.1:\(server.port)/1.jpg")
        #expect(run.status == 1)
        #expect(run.errors.contains("self-signed certificate"), "\(run.errors)")
        #expect(run.errors.contains("--ca-file adds"))
        #expect(run.errors.contains("1 × no secure connection"))
        #expect(source.files == [])
    }

    @Test(arguments: [
        (true, "127.0.0.1", ["has expired or is not yet valid", "check the clock"]),
        (false, "localhost", ["is not for localhost"]),
    ])
    func certificateThatDoesNotFitIsASentence(isExpired: Bool, host: String, sentences: [String]) throws {
        let certificate = try TestCertificate(expired: isExpired)
        let server = try SecureRawServer(certificate: certificate.path, key: certificate.key) { _ in }
        let run = try download("https://\(host):\(server.port)/1.jpg", ["--ca-file", certificate.path])
        #expect(run.status == 1)
        for sentence in sentences { #expect(run.errors.contains(sentence), "\(run.errors)") }
    }

    @Test func serverThatGoesAwayBeforeItsAnswerIsAskedAgain() throws {
        let run = try downloadOverHTTP2 { http in
            guard http.awaitRequest() != nil else { return }
            http.goAway(lastStream: 0)
            guard let stream = http.awaitRequest() else { return }
            http.answer(stream, Self.image, announcing: Self.image.count, isLast: true)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.bytes(of: "127.0.0.1/1.jpg") == Self.image)
    }

    @Test func serverThatGoesAwayWithinItsAnswerAndCompletesItLosesNothing() throws {
        let run = try downloadOverHTTP2 { http in
            guard let stream = http.awaitRequest() else { return }
            http.answer(stream, Array(Self.image.prefix(500)), announcing: Self.image.count)
            http.goAway(lastStream: stream)
            http.data(stream, Array(Self.image.dropFirst(500)), isLast: true)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.bytes(of: "127.0.0.1/1.jpg") == Self.image)
    }

    @Test func serverThatBreaksOffItsAnswerEachTimeIsASentence() throws {
        let run = try downloadOverHTTP2 { http in
            while let stream = http.awaitRequest() {
                http.answer(stream, Array(Self.image.prefix(500)), announcing: Self.image.count)
                http.reset(stream, code: 2)
            }
        }
        #expect(run.status == 1)
        #expect(run.errors.contains("closed the connection before the end of the response"), "\(run.errors)")
        #expect(run.errors.contains("try again later"))
        #expect(source.files == [])
    }

    private func downloadOverHTTP2(_ script: @escaping @Sendable (inout HTTP2Script) -> Void) throws -> CommandRun {
        let certificate = try TestCertificate()
        let server = try SecureRawServer(
            certificate: certificate.path, key: certificate.key, protocols: "h2"
        ) { connection in
            var http = HTTP2Script(connection)
            script(&http)
            // The program serves until the test is over.
            while !connection.receive().isEmpty {}
        }
        return try download("https://127.0.0.1:\(server.port)/1.jpg", ["--ca-file", certificate.path])
    }
}
