import ArgumentParser
import Glibc
import HTTPCaching
import ImgScript
import Packs

struct PackKeygen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen", abstract: "Creates a minisign key pair for signing packs.")

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The secret key's file; the public key is written beside it.", valueName: "file"))
    var output: String?

    @Flag(help: "Do not encrypt the secret key.")
    var noPassword = false

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let path = output ?? PackKeys.defaultSecretKey(context.app.settings)
            let open = PackKeys.publicKey(besides: path)
            // Before the password is asked for, so that nobody types one for nothing.
            for file in [path, open] { try FileSystem.checkFree(file) }
            let password = noPassword ? nil : try PackKeys.newPassword(for: path)
            let key = try SecretKey.generate()
            try FileSystem.makeFolder(FileSystem.parent(of: path))
            try key.write(to: path, password: password)
            try FileSystem.write(Array(key.publicKey.fileText.utf8), to: open, replacing: false)
            var table = Table()
            table.add("Secret key", TableCell(path, .bold), TableCell("keep it safe and private", .dim))
            table.add("Public key", TableCell(open, .bold))
            try context.printLines(table.lines(on: context.app.terminal))
            try context.app.printLine("")
            try context.app.printLine("Add it to package.json, so that it is pinned where your packs are installed:")
            try context.app.printLine("  \"imgscript\": { \"publicKey\": \"\(key.publicKey)\" }")
        }
    }
}

struct PackSign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Signs a .tgz with minisign's format: writes FILE.minisig.")

    @Argument(help: ArgumentHelp("The pack's file.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The secret key's file, from keygen or minisign.", valueName: "file"))
    var secretKey: String?

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let path = secretKey ?? PackKeys.defaultSecretKey(context.app.settings)
            guard access(path, F_OK) == 0 else {
                throw PackError(
                    .key, "no such secret key: \(path)",
                    hint: "create one with: imgscript pack keygen; or name one with --secret-key")
            }
            let archive = try PackArchive(fileAt: file)
            let manifest = try archive.read()
            let key = try PackKeys.secretKey(at: path)
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let signature = try key.sign(
                archive.bytes, trustedComment: PackSignature.trustedComment(forFile: name, at: Int(SystemTime.now)))
            let target = PackSignature.path(forArchiveAt: file)
            try FileSystem.write(Array(signature.text.utf8), to: target)
            context.app.status.note(
                "signed \(manifest.name) \(manifest.version) with the key \(key.publicKey.id): \(target)")
            if manifest.publicKey != key.publicKey {
                context.app.status.warning(
                    manifest.publicKey == nil
                        ? "its package.json names no key, so the signature is checked only with --key"
                        : "its package.json names another key, so it will be refused",
                    hint: "set imgscript.publicKey to \(key.publicKey), and build and sign it again")
            }
        }
    }
}

/// The files of signing keys, and their passwords.
enum PackKeys {
    /// The user's secret key, as `keygen` writes it without `--output`.
    static func defaultSecretKey(_ settings: ImageEngine.Configuration) -> String {
        "\(settings.configurationFolder)/pack.key"
    }

    /// The public half beside a secret key.
    static func publicKey(besides path: String) -> String {
        path.hasSuffix(".key") ? "\(path.dropLast(4)).pub" : "\(path).pub"
    }

    /// Reads a secret key, asking for its password where it has one.
    static func secretKey(at path: String) throws -> SecretKey {
        let text = try SecretKey.text(ofFileAt: path)
        guard try SecretKey.needsPassword(text) else { return try SecretKey(parsing: text, password: nil) }
        guard let password = SecretPrompt.read("password of \(path): "), !password.isEmpty else {
            throw PackError(.password, "expected the password of \(path) on the standard input, found nothing")
        }
        return try SecretKey(parsing: text, password: password)
    }

    /// Asks for a new password, twice at a terminal.
    static func newPassword(for path: String) throws -> String {
        guard let password = SecretPrompt.read("new password of \(path): "), !password.isEmpty else {
            throw PackError(
                .password, "expected a password for the new key on the standard input, found nothing",
                hint: "to leave the key unencrypted, pass --no-password")
        }
        guard SecretPrompt.isAtTerminal else { return password }
        guard SecretPrompt.read("once more: ") == password else {
            throw PackError(.password, "the two passwords differ", hint: "run the command again")
        }
        return password
    }
}
