import Foundation
import Packs
import Testing

struct PackIntegrityTests {
    @Test func isWhatNpmWrites() {
        let text =
            "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw=="
        #expect(PackIntegrity(of: Data("abc".utf8)).description == text)
        #expect(PackIntegrity("sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0= \(text)?x") == PackIntegrity(of: Data("abc".utf8)))
    }

    @Test(arguments: ["", "sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0=", "sha512-AAAA", "sha512-!", "md5-x"])
    func isNone(text: String) { #expect(PackIntegrity(text) == nil) }
}
