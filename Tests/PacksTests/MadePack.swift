import Foundation
import TestSupport

/// A small pack in a folder of a test's own.
struct MadePack {
    let folder = TemporaryFolder()

    /// The pack, with more files, or other texts of those it has.
    init(_ files: [String: String] = [:], manifest: String = Self.manifest) throws {
        let standard = [
            "package.json": manifest, "dogs.js": Self.provider, "README.md": "# Dogs\n", "LICENSE": "Apache-2.0\n",
        ]
        for (path, text) in standard.merging(files, uniquingKeysWith: { $1 }) { try write(path, text) }
    }

    var path: String { folder.path + "/pack" }

    func write(_ path: String, _ text: String) throws {
        let url = URL(filePath: "\(self.path)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    static let manifest = """
        {
          "name": "@example/dogs", "version": "1.2.3", "license": "Apache-2.0", "description": "Pictures of dogs",
          "imgscript": { "contract": 1, "providers": ["dogs.js"] }
        }

        """

    static let provider = """
        module.exports = {
          contract: 1, id: 'dogs', name: 'Dog API', version: '1.0.0',
          hosts: ['api.dogs.example', '*.kennel.example'], mediaHosts: ['images.dogs.example'],
          auth: [{ type: 'header', name: 'X-Key' }, { type: 'query', name: 'key', optional: true }],
          terms: { url: 'https://dogs.example/about' },
          paging: 'none',
          search: {
            request: (q) => ({ url: `https://api.dogs.example/breed/${encodeURIComponent(q.text)}` }),
            parse: (res) => ({
              items: res.json.map((url) => ({ id: url, type: 'image', media: [{ role: 'original', url }] })),
            }),
          },
        };

        """
}

/// A program of the system, run to its end in a folder.
struct ToolRun {
    let status: Int32
    let output: String
    let errors: String

    init(_ program: String, _ arguments: [String], in folder: String, input: String = "") throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        // A home of its own: nothing of the developer's is read or changed.
        let home = TemporaryFolder()
        process.environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home.path, "npm_config_update_notifier": "false",
        ]
        let files = ["in", "out", "err"].map { "\(home.path)/.tool-\($0)" }
        for file in files { try input.write(toFile: file, atomically: false, encoding: .utf8) }
        process.standardInput = FileHandle(forReadingAtPath: files[0])
        let output = FileHandle(forWritingAtPath: files[1])
        let errors = FileHandle(forWritingAtPath: files[2])
        for handle in [output, errors] { try handle?.truncate(atOffset: 0) }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        self.output = try String(contentsOfFile: files[1], encoding: .utf8)
        self.errors = try String(contentsOfFile: files[2], encoding: .utf8)
        withExtendedLifetime(home) {}
    }
}
