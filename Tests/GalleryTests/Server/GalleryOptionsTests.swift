import Foundation
import ImgScript
import Testing

/// What a command line says reaches the server's program.
struct GalleryOptionsTests {
    @Test func engineHasTheSettingsOfTheCommandLine() throws {
        let environment = ["HOME": "/home/anna"]
        var settings = ImageEngine.Configuration(environment: environment)
        settings.allowedHosts = ["nas.local:8080"]
        settings.connectTimeout = .seconds(2.5)
        settings.idleTimeout = .milliseconds(700)
        settings.retries = 0
        settings.contact = "anna@example.com"
        settings.statusURLs = ["https://example.org/status.json"]
        settings.proxy = "http://anna:secret@proxy.example:3128"
        settings.scriptTimeout = .seconds(3)
        let json = try JSONEncoder().encode(GalleryOptions(settings))
        // It is an argument of the process, which all users see.
        #expect(!String(decoding: json, as: UTF8.self).contains("secret"))
        let read = try JSONDecoder().decode(GalleryOptions.self, from: json).configuration(in: environment)
        #expect(read.allowedHosts == settings.allowedHosts && read.scriptTimeout == settings.scriptTimeout)
        #expect(read.connectTimeout == settings.connectTimeout && read.idleTimeout == settings.idleTimeout)
        #expect(read.retries == 0 && read.contact == settings.contact)
        #expect(read.statusURLs == settings.statusURLs)
    }

    @Test func startThatFailsSaysWhyAndWhatHelps() throws {
        let source = try PictureSource()
        func failure(_ arguments: [String], isServing: Bool) -> String {
            do {
                _ = try GalleryProcess(source, arguments: arguments, isServing: isServing)
                return ""
            } catch { return (error as? GalleryProcessError)?.text ?? "\(error)" }
        }
        let taken = failure(["--port", "\(source.port)"], isServing: false)
        #expect(taken.contains("error: could not listen at 127.0.0.1:\(source.port): Address already in use\nhint: "))
        let token = failure(["--token-file", "/nothing/here"], isServing: true)
        #expect(token.contains(#"could not read the token in "/nothing/here": No such file or directory"#))
        #expect(token.contains("\nhint: "))
    }
}
