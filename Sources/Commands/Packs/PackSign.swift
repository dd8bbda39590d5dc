import ArgumentParser
import Glibc
import HTTPCaching
import Packs

struct PackSign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Signs a .tgz: writes FILE.minisig beside it, which minisign can check too.")

    @Argument(help: ArgumentHelp("The pack's file.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The secret key's file, of keygen or minisign.", valueName: "file"))
    var secretKey: String?

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let path = secretKey ?? PackKeys.standardSecretKey(context.app.settings)
            guard access(path, F_OK) == 0 else {
                throw PackError(
                    .key, "there is no secret key \(path)",
                    hint: "imgscript pack keygen makes one; --secret-key names another")
            }
            let archive = try PackArchive(fileAt: file)
            let manifest = try archive.read()
            let key = try PackKeys.secretKey(at: path)
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let signature = try key.sign(
                archive.bytes, trustedComment: PackSignature.trustedComment(forFile: name, at: Int(SystemTime.now)))
            let target = PackSignature.path(forArchiveAt: file)
            try OwnFile.replace(target, with: signature.text)
            context.app.status.note(
                "signed \(manifest.name) \(manifest.version) with the key \(key.publicKey.id): \(target)")
            if manifest.publicKey != key.publicKey {
                context.app.status.warning(
                    manifest.publicKey == nil
                        ? "its package.json names no key, so that the signature is checked only with --key"
                        : "its package.json names another key, so that it is refused",
                    hint: "set imgscript.publicKey to \(key.publicKey), and build it again")
            }
        }
    }
}
