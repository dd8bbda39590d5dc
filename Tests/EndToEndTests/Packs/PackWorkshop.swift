import Foundation
import Packs
import TestSupport

/// A home with installed packs, and a bench to make others on.
final class PackWorkshop {
    private let folder = TemporaryFolder()
    let home: String
    /// The folder that commands run in.
    let bench: String

    init() throws {
        home = folder.path + "/home"
        bench = folder.path + "/bench"
        for path in [home, bench] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    /// The user's lockfile.
    var lockfile: String { "\(home)/.local/share/imgscript/packs/imgscript.lock" }
    /// The text of the lockfile; empty where there is none.
    var lock: String { (try? String(contentsOfFile: lockfile, encoding: .utf8)) ?? "" }

    /// The unpacked versions in the store.
    var versions: [String] {
        let store = "\(home)/.local/share/imgscript/packs/store"
        return FolderListing.names(in: store).flatMap { name in FolderListing.names(in: "\(store)/\(name)") }
            // Beside each lies the archive it came in.
            .filter { !$0.hasSuffix(".tgz") }
    }

    /// Runs `imgscript` with this home, on this bench.
    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(arguments, in: bench, environment: ["HOME": home].merging(environment) { $1 })
    }

    /// Runs any program on the bench; its output, or nil when it failed.
    func run(program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String? {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: bench)
        process.environment = ["HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? said : nil
    }

    /// Makes the folder of a pack with one provider; hosts beside the usual one, and a public key, as wanted.
    @discardableResult
    func makePack(
        _ name: String = "@anna/boards", version: String = "1.0.0", in place: String = "boards", hosts: [String] = [],
        key: String? = nil
    ) throws -> String {
        let path = "\(bench)/\(place)"
        try? FileManager.default.removeItem(atPath: path)
        let made = try run("pack", "init", place, "--name", name, "--provider", "boards")
        precondition(made.status == 0, made.errors)
        try edit("\(path)/package.json") { text in
            var text = text.replacing("\"version\": \"0.1.0\"", with: "\"version\": \"\(version)\"")
            if let key { text.replace("\"contract\": 1,", with: "\"contract\": 1, \"publicKey\": \"\(key)\",") }
            return text
        }
        let more = hosts.map { ", '\($0)'" }.joined()
        try edit("\(path)/providers/boards.js") {
            $0.replacing("'api.boards.example']", with: "'api.boards.example'\(more)]").replacing(
                "'0.1.0'", with: "'\(version)'")
        }
        return path
    }

    /// Makes the archive of a pack, without its checks.
    @discardableResult
    func makeArchive(
        _ name: String = "@anna/boards", version: String = "1.0.0", hosts: [String] = [], key: String? = nil,
        as file: String? = nil
    ) throws -> String {
        let build = try PackBuild.build(folder: makePack(name, version: version, in: "making", hosts: hosts, key: key))
        let path = "\(bench)/\(file ?? build.fileName)"
        try build.write(to: path)
        return path
    }

    /// Makes a signing key, and returns its public half.
    func makeKey(_ name: String = "anna") throws -> String {
        let run = try run("pack", "keygen", "--no-password", "--output", "\(bench)/\(name).key")
        precondition(run.status == 0, run.errors)
        let text = try String(contentsOfFile: "\(bench)/\(name).pub", encoding: .utf8)
        return String(text.split(separator: "\n")[1])
    }

    /// Changes a file's text.
    func edit(_ path: String, _ change: (String) -> String) throws {
        try change(String(contentsOfFile: path, encoding: .utf8)).write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The file of the installed provider.
    var installedProvider: String {
        FolderListing.allFiles(under: "\(home)/.local/share/imgscript/packs/store").first { $0.hasSuffix("/boards.js") }
            ?? ""
    }
}
