import ArgumentParser
import Glibc
import HTTPCaching
import ImgScript
import Packs
import ProviderModel

struct PackKeygen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen", abstract: "Create a minisign key pair for signing packs")

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("file for the secret key; the public key is written beside it", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "store the secret key unencrypted")
    var noPassword = false

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let path = output ?? PackKeys.defaultSecretKey(context.app.settings)
            let open = PackKeys.publicKey(besides: path)
            // Before the prompt for the password, which would be typed in vain.
            for file in [path, open] { try FileSystem.checkFree(file) }
            let password = noPassword ? nil : try PackKeys.newPassword(for: path)
            let key = try SecretKey.generate()
            try FileSystem.makeFolder(FileSystem.parent(of: path))
            try key.write(to: path, password: password)
            try FileSystem.write(Array(key.publicKey.fileText.utf8), to: open, replacing: false)
            var table = Table()
            table.add("Secret key", TableCell(path, .bold), TableCell("keep it secret", .dim))
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
        commandName: "sign", abstract: "Sign a .tgz, or any other file, in minisign's format: write FILE.minisig")

    @Argument(help: ArgumentHelp("file of a pack, or another file", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("file with the secret key, from keygen or minisign", valueName: "file"), completion: .file())
    var secretKey: String?

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let path = secretKey ?? PackKeys.defaultSecretKey(context.app.settings)
            guard access(path, F_OK) == 0 else {
                throw PackError(
                    .key, "no such secret key: \(path)",
                    hint: "imgscript pack keygen creates one; --secret-key names another file")
            }
            let archive = try PackArchive(fileAt: file)
            // Other files, such as the checksums of a release, are signed as they are.
            let manifest = file.hasSuffix(".tgz") ? try archive.read() : nil
            let key = try PackKeys.secretKey(at: path)
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let signature = try key.sign(
                archive.bytes, trustedComment: PackSignature.trustedComment(forFile: name, at: Int(WallClock.now)))
            let target = PackSignature.path(forArchiveAt: file)
            try FileSystem.write(Array(signature.text.utf8), to: target)
            let subject = manifest.map { "\($0.name) \($0.version)" } ?? name
            context.app.status.note("signed \(subject) with the key \(key.publicKey.id): \(target)")
            if let manifest, manifest.publicKey != key.publicKey {
                context.app.status.warning(
                    manifest.publicKey == nil
                        ? "package.json has no key: the signature is only verified with --key"
                        : "package.json has another key: the pack will be refused",
                    hint: "set imgscript.publicKey to \(key.publicKey), then build and sign the pack again")
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
            throw PackError(.password, "no password given for \(path) (expected a line on the standard input)")
        }
        return try SecretKey(parsing: text, password: password)
    }

    /// Asks for a new password, twice at a terminal.
    static func newPassword(for path: String) throws -> String {
        guard let password = SecretPrompt.read("new password of \(path): "), !password.isEmpty else {
            throw PackError(
                .password, "no password given for the new key (expected a line on the standard input)",
                hint: "--no-password stores the key unencrypted")
        }
        guard SecretPrompt.isAtTerminal else { return password }
        guard SecretPrompt.read("repeat the password: ") == password else {
            throw PackError(.password, "the passwords do not match", hint: "run the command again")
        }
        return password
    }
}
