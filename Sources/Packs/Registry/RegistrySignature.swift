import Crypto
import FoundationEssentials
import ProviderModel

/// The keys a registry signs with: `/-/npm/v1/keys`.
struct RegistryKeys: Decodable {
    struct Key: Decodable {
        let keyid: String
        let keytype: String?
        let scheme: String?
        let key: String
        let expires: String?
    }

    let keys: [Key]

    /// Checks the registry's signature of a release: ECDSA over P-256 and SHA-256 of `name@version:integrity`.
    ///
    /// Returns the key. A registry that has keys signs everything, so that nothing unsigned passes.
    func check(
        _ signatures: [Packument.Signature], of name: PackName, version: String, integrity: String
    ) throws(PackError) -> Key {
        let subject = "\(name)@\(version)"
        let usable = keys.filter { $0.keytype.map { $0 == "ecdsa-sha2-nistp256" } ?? true }
        guard
            let (signature, key) = signatures.lazy.compactMap({ signature in
                usable.first { $0.keyid == signature.keyid }.map { (signature, $0) }
            }).first
        else {
            let found =
                signatures.isEmpty
                ? "no signature" : "a signature of \(signatures[0].keyid.quoted), which is not its key"
            throw PackError(
                .signature, "the registry signs what it has, and for \(subject) gives \(found)", subject: subject,
                hint: "do not install it; tell the registry")
        }
        guard let keyBytes = Data(base64Encoded: key.key),
            let publicKey = try? P256.Signing.PublicKey(derRepresentation: keyBytes)
        else { throw PackError(.signature, "the registry's key \(key.keyid) cannot be read", subject: subject) }
        guard let bytes = Data(base64Encoded: signature.sig),
            let parsed = try? P256.Signing.ECDSASignature(derRepresentation: bytes),
            publicKey.isValidSignature(parsed, for: Data("\(name)@\(version):\(integrity)".utf8))
        else {
            throw PackError(
                .signature, "the registry's signature of \(subject) is not for this content", subject: subject,
                hint: "do not install it; somebody may have changed it on the way")
        }
        return key
    }
}
