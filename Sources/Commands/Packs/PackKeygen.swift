import ArgumentParser
import Packs

struct PackKeygen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen", abstract: "Makes a key to sign packs with, in minisign's form.")

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The secret key's file; the public one lies beside it.", valueName: "file"))
    var output: String?

    @Flag(help: "Keep the secret key unencrypted.")
    var noPassword = false

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let path = output ?? PackKeys.standardSecretKey(context.app.settings)
            let open = PackKeys.publicKey(besides: path)
            // Before the password is asked for: nothing is more tiresome than typing one for nothing.
            for file in [path, open] { try OwnFile.checkFree(file) }
            let password = noPassword ? nil : try PackKeys.newPassword(for: path)
            let key = try SecretKey.generate()
            try OwnFile.makeFolder(of: path)
            try key.write(to: path, password: password)
            try OwnFile.write(key.publicKey.fileText, to: open)
            var table = KeyValueTable()
            table.add("Secret key", TableCell(path, .bold), TableCell("keep it, and keep it to yourself", .dim))
            table.add("Public key", TableCell(open, .bold))
            for line in table.lines(on: context.app.terminal) { try context.app.printLine(line) }
            try context.app.printLine("")
            try context.app.printLine("In package.json, so that it is pinned where your packs are installed:")
            try context.app.printLine("  \"imgscript\": { \"publicKey\": \"\(key.publicKey)\" }")
        }
    }
}
