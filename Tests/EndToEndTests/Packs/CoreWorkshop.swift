import Foundation
import Packs
import Synchronization
import TestSupport

/// An installed program with a core pack of one source, that source, and a web server with an index of newer versions.
final class CoreWorkshop {
    let shop: PackWorkshop
    /// The source: it gives its photos under this name.
    let source: LoopbackServer
    /// The web server of the folder `published`.
    let web: LoopbackServer
    let published: String
    private let folder = TemporaryFolder()
    private let photos = PhotosName()
    private(set) var key = ""

    /// The name under which the source gives its photos.
    private final class PhotosName: Sendable {
        let text = Mutex("photos")
    }

    /// A program that ships version 0.1.0 of its sources.
    init() throws {
        shop = try PackWorkshop()
        let published = folder.path + "/published"
        self.published = published
        let photos = photos
        source = try LoopbackServer { request in
            let isFirst = request.target.contains("&page=1&")
            let photo =
                #"{"id": "1", "title": "Fox 1", "file": "https://images.boards.example/1.jpg", "rights": "CC0"}"#
            return .answer(
                headers: [("Content-Type", "application/json")],
                text: #"{"total": 1, "\#(photos.text.withLock { $0 })": [\#(isFirst ? photo : "")]}"#)
        }
        web = try LoopbackServer { request in
            let bytes = FileManager.default.contents(atPath: published + request.path)
            return bytes.map { .answer(body: Array($0)) } ?? .answer(404)
        }
        for path in ["\(folder.path)/bin", "\(folder.path)/share/imgscript", published] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try InstalledProgram.place(BuiltExecutable.path(of: "imgscript"), at: "\(folder.path)/bin/imgscript")
        key = try shop.makeKey("core")
        try ship("0.1.0")
    }

    /// The folder of the sources that ship.
    var shipped: String { "\(folder.path)/share/imgscript/providers" }

    /// Gives the photos another name from now on, as sources do.
    func changeSource() { photos.text.withLock { $0 = "pictures" } }

    /// Puts another version of the core pack into the program.
    func ship(_ version: String) throws {
        try? FileManager.default.removeItem(atPath: shipped)
        try FileManager.default.moveItem(atPath: try makeCore(version), toPath: shipped)
    }

    /// Makes the folder of a core pack; its script reads the photos under a name.
    func makeCore(_ version: String, reading name: String = "photos", hosts: [String] = []) throws -> String {
        let path = try shop.makePack(
            "@imgscript/core", version: version, in: "core", hosts: ["http://127.0.0.1"] + hosts)
        for file in FolderListing.names(in: path + "/providers") {
            try FileManager.default.moveItem(atPath: "\(path)/providers/\(file)", toPath: "\(path)/\(file)")
        }
        try shop.edit(path + "/package.json") {
            $0.replacing("providers/boards.js", with: "boards.js").replacing(
                "[\"providers\", \"CHANGELOG.md\"]", with: "[\"*.js\", \"cassettes\", \"CHANGELOG.md\"]")
        }
        for file in ["boards.js", "cassettes/boards/search.json"] {
            try shop.edit("\(path)/\(file)") {
                $0.replacing("https://api.boards.example/search", with: "\(source.origin)/search")
                    .replacing("res.json.photos", with: "res.json.\(name)").replacing("\"photos\"", with: "\"\(name)\"")
            }
        }
        try "# Changes\n\n## \(version)\n\n- boards: read \(name).\n".write(
            toFile: path + "/CHANGELOG.md", atomically: true, encoding: .utf8)
        return path
    }

    /// Publishes a version of the core pack, signed with a key, and the index of all.
    func publish(
        _ version: String, reading name: String = "pictures", hosts: [String] = [], signedWith key: String = "core",
        _ options: String...
    ) throws {
        let build = try PackBuild.build(folder: try makeCore(version, reading: name, hosts: hosts))
        let path = "\(published)/\(build.fileName)"
        try build.write(to: path)
        try sign(path, with: key)
        try index(options)
    }

    func sign(_ path: String, with key: String) throws {
        let secret = try SecretKey(
            parsing: SecretKey.text(ofFileAt: "\(shop.bench)/\(key).key"), password: nil)
        let signature = try secret.sign(
            FolderListing.bytes(of: path), trustedComment: PackSignature.trustedComment(forFile: path, at: 0))
        try signature.text.write(
            toFile: PackSignature.path(forArchiveAt: path), atomically: true, encoding: .utf8)
    }

    /// Writes the index of what is published.
    @discardableResult
    func index(_ options: [String] = []) throws -> CommandRun {
        let run = try CommandRun(
            ["pack", "index", published, "--secret-key", "core.key"] + options, in: shop.bench,
            environment: ["HOME": shop.home])
        precondition(run.status == 0, run.errors)
        return run
    }

    /// The variables by which the program knows its key and its index.
    var environment: [String: String] {
        [
            "HOME": shop.home, "IMGSCRIPT_WORKER": BuiltWorker.path, "IMGSCRIPT_ALLOW_HOST": "127.0.0.1",
            "IMGSCRIPT_CORE_KEY": key, "IMGSCRIPT_INDEX": "\(web.origin)/index.json", "LC_ALL": "C.UTF-8",
        ]
    }

    /// Runs the installed program.
    func run(_ arguments: String, environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(
            shell: "cd '\(shop.bench)' && '\(folder.path)/bin/imgscript' \(arguments)",
            environment: self.environment.merging(environment) { $1 })
    }

    /// Runs the installed program at a terminal.
    func runAtTerminal(_ arguments: String) throws -> CommandRun {
        try CommandRun(
            shell: "cd '\(shop.bench)' && script -qec \"'\(folder.path)/bin/imgscript' \(arguments)\" /dev/null",
            environment: environment.merging(["TERM": "dumb"]) { $1 })
    }
}
