/// Who signed an archive, as far as that can be known.
struct SigningParty {
    /// The key whose signature fits; nil where there is none, or nothing says which key it was.
    let key: PublicKey?
    /// What the user should know.
    let remark: String?

    /// Finds the key of a signature among those that are known, and checks it.
    ///
    /// `named` is the user's own word, `pinned` that of the lockfile, `stated` that of the pack itself, which is good
    /// for a first installation.
    init(
        of archive: PackArchive, _ signature: PackSignature?, named: PublicKey?, pinned: PublicKey?, stated: PublicKey?
    ) throws(PackError) {
        guard let signature else {
            guard named == nil else {
                throw PackError(
                    .signature, "there is no signature beside the pack, and --key says that there has to be one",
                    hint: "expected it under the archive's name with .minisig")
            }
            (key, remark) = (nil, nil)
            return
        }
        let known = [named, pinned, stated].compactMap(\.self)
        let candidates = named.map { [$0] } ?? known
        guard let key = candidates.first(where: { $0.id == signature.keyID }) else {
            guard let expected = candidates.first else {
                self.key = nil
                remark =
                    "the pack is signed with the key \(signature.keyID), which nothing names: the signature was not checked; "
                    + "--key RW… names it"
                return
            }
            throw PackError(
                .signature, "the pack is signed with the key \(signature.keyID), expected \(expected.id)",
                hint: "if the author has a new key, get it from a place you trust and pass it with --key")
        }
        try key.verify(signature, of: archive.bytes)
        (self.key, remark) = (key, nil)
    }
}
