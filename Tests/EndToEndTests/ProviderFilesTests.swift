import Crypto
import Foundation
import TestSupport
import Testing

/// Providers and keys as files of the user.
struct ProviderFilesTests {
    @Test func aFileDroppedInWorksAtOnceAndTheNearerOneWins() throws {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...1, total: 1)) }
        try source.add("itunes", LoopbackSource.provider("itunes", port: source.server.port))
        let run = try CommandRun(["search", "-p", "itunes", "-f", "{id}", "x"] + source.arguments)
        #expect(run.output == "1\n")
        let list = try CommandRun(["providers"] + source.arguments)
        #expect(list.output.contains("loop"))
        #expect(list.errors.contains("itunes: using \(source.folder.path)/itunes.js, not "), "\(list.errors)")
    }

    @Test func aProviderThatHidesAnotherDoesNotGetItsKey() throws {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...1, total: 1)) }
        let auth = "auth: { type: 'query', name: 'key' },"
        try source.add("pixabay", LoopbackSource.provider("pixabay", port: source.server.port, auth: auth))
        let run = try CommandRun(
            ["search", "-p", "pixabay", "x"] + source.arguments, environment: ["IMGSCRIPT_PIXABAY_KEY": "s3cr3t"])
        #expect(run.status != 0)
        #expect(run.errors.contains("would send the key to"), "\(run.errors)")
        #expect(source.server.requests.isEmpty)
    }

    /// What the provider says of its signature, held against a signature of its own making.
    @Test func rawpixelSignsThePathAndTheSortedQuery() throws {
        let source = try LoopbackSource { _ in .answer(text: #"{"total": 0, "results": []}"#) }
        let file = Documentation.root.appending(path: "providers/rawpixel.js")
        let script = try String(contentsOf: file, encoding: .utf8)
            .replacingOccurrences(of: "https://www.rawpixel.com", with: source.server.origin)
            .replacingOccurrences(of: "'www.rawpixel.com'", with: "'http://127.0.0.1'")
            .replacingOccurrences(of: "id: 'rawpixel'", with: "id: 'copy'")
        try source.add("copy", script)
        let run = try CommandRun(
            ["search", "-p", "copy", "red fox & co"] + source.arguments, environment: ["IMGSCRIPT_COPY_KEY": "s3cr3t"])
        let target = try #require(source.server.requests.first?.target, "\(run.errors)")
        let parts = target.split(separator: "?", maxSplits: 1)
        var pairs = parts[1].split(separator: "&").sorted()
        let signature = try #require(pairs.firstIndex { $0.hasPrefix("s=") }.map { pairs.remove(at: $0) })
        let signed = "\(parts[0])?\(pairs.joined(separator: "&"))"
        let key = SymmetricKey(data: Data("s3cr3t".utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        let expected = Data(code).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        #expect(signature == "s=\(expected)" && signed.contains("keys=red%20fox%20%26%20co"), "\(target)")
    }

    @Test func aNewProviderKeepsToTheContract() throws {
        let folder = TemporaryFolder()
        let wrote = try CommandRun(["providers", "new", "newsite"], in: folder.path)
        #expect(wrote.status == 0)
        let check = try CommandRun(["providers", "check", "\(folder.path)/providers/newsite.js"])
        #expect(check.status == 0)
        #expect(check.output.contains("newsite 0.1.0"))
        let again = try CommandRun(["providers", "new", "newsite"], in: folder.path)
        #expect(again.status != 0)
        #expect(again.errors.contains("already exists"))
    }

    @Test func informationHasTermsServersAndEachParameterOnce() throws {
        let pixabay = try CommandRun(["providers", "info", "pixabay"]).output
        #expect(pixabay.contains("Parameters of search and feed (pixabay)"))
        #expect(pixabay.contains("at least 1 day"))
        #expect(pixabay.contains("fetch images before showing them"))
        let moebooru = try CommandRun(["providers", "info", "moebooru"]).output
        #expect(moebooru.contains("required: --instance URL: A site that runs Moebooru."))
        #expect(moebooru.contains("--provider moebooru --instance https://…"))
        #expect(!moebooru.contains("{instance}"))
    }

    @Test func keysAreReadFromInputKeptPrivateAndNeverShown() throws {
        let home = TemporaryFolder()
        let environment = ["XDG_CONFIG_HOME": home.path]
        let set = try CommandRun(["auth", "set", "pixabay"], input: "s3cr3t\n", environment: environment)
        #expect(set.status == 0, "\(set.errors)")
        let file = "\(home.path)/imgscript/credentials.json"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let list = try CommandRun(["auth", "list"], environment: environment)
        #expect(list.output.contains("pixabay"))
        #expect(!(set.output + set.errors + list.output + list.errors).contains("s3cr3t"))
        #expect(try CommandRun(["auth", "remove", "pixabay"], environment: environment).status == 0)
        #expect(try CommandRun(["auth", "list"], environment: environment).output.isEmpty)
    }

    @Test func halfOfWhatASourceNeedsIsNotStored() throws {
        let home = TemporaryFolder()
        let environment = ["HOME": home.path]
        let set = try CommandRun(["auth", "set", "openverse"], input: "an-id\n", environment: environment)
        #expect(set.status == 64)
        #expect(set.errors.contains("no client_secret given"))
        #expect(try CommandRun(["auth", "list"], environment: environment).output.isEmpty)
    }
}
