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
        settings.proxy = "http://anna:secret@proxy.example:3128"
        settings.scriptTimeout = .seconds(3)
        let json = try JSONEncoder().encode(GalleryOptions(settings))
        // It is an argument of the process, which all users see.
        #expect(!String(decoding: json, as: UTF8.self).contains("secret"))
        let read = try JSONDecoder().decode(GalleryOptions.self, from: json).configuration(in: environment)
        #expect(read.allowedHosts == settings.allowedHosts && read.scriptTimeout == settings.scriptTimeout)
        #expect(read.connectTimeout == settings.connectTimeout && read.idleTimeout == settings.idleTimeout)
        #expect(read.retries == 0 && read.contact == settings.contact)
    }
}
