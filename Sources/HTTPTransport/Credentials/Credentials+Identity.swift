extension Credentials {
    /// What tells apart who is asking, made of the user's secrets: for keyed hashes only, never to be kept.
    ///
    /// Sessions and tokens, which come and go, are no part of it.
    package var identityMaterial: [UInt8] {
        let parts = ["\(provider)"] + secrets.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        return Array(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
    }
}
