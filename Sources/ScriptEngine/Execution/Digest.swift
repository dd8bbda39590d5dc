import CGLib

/// Digests and base64, as GLib computes them.
enum Digest {
    /// The digest of a text's UTF-8 bytes in hexadecimal; an HMAC when there is a key.
    static func hex(of text: String, algorithm: String, key: String?) -> String {
        let type: GChecksumType =
            switch algorithm {
            case "md5": G_CHECKSUM_MD5
            case "sha1": G_CHECKSUM_SHA1
            default: G_CHECKSUM_SHA256
            }
        let data = Array(text.utf8)
        let digest: UnsafeMutablePointer<CChar>?
        if let key {
            let keyBytes = Array(key.utf8)
            digest = g_compute_hmac_for_data(type, keyBytes, gsize(keyBytes.count), data, gsize(data.count))
        } else {
            digest = g_compute_checksum_for_data(type, data, gsize(data.count))
        }
        defer { g_free(digest) }
        return digest.map { String(cString: $0) } ?? ""
    }

    static func base64(_ bytes: [UInt8]) -> String {
        guard let text = g_base64_encode(bytes, gsize(bytes.count)) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// The bytes as UTF-8 text; what is not UTF-8 becomes U+FFFD.
    static func decodeBase64(_ text: String) -> String {
        var count: gsize = 0
        guard let bytes = g_base64_decode(text, &count) else { return "" }
        defer { g_free(bytes) }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }
}
