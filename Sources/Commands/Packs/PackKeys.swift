import ImgScript
import Packs

/// Where signing keys lie, and how their passwords are asked for.
struct PackKeys {
    /// The secret key of this user, as `keygen` writes it without `--output`.
    static func standardSecretKey(_ settings: ImageEngine.Configuration) -> String {
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
                hint: "--no-password leaves the key open to whoever gets the file")
        }
        guard SecretPrompt.isAtTerminal else { return password }
        guard SecretPrompt.read("once more: ") == password else {
            throw PackError(.password, "the two passwords differ", hint: "run the command again")
        }
        return password
    }
}
