import CGLib
import CJavaScriptCore
import ProviderModel

/// The native functions that the prelude calls.
///
/// None of them reaches outside the process but `module` and `log`, which go through the host.
struct NativeFunctions {
    let runtime: ScriptRuntime
    let responses: ResponseStore
    let documents: DocumentStore
    let modules: ModuleTable
    let console: ConsoleLog

    /// The functions, for `ScriptRuntime.object(of:)`; `failure` makes an error of a kind.
    ///
    /// Those that no script needs before its first answer, and many not at all, come in groups that are made when asked for.
    func all(failure: @escaping (ProviderError.Code, String) -> NativeError) -> [(String, NativeFunction.Body)] {
        [parseURL] + modulesAndLog + [
            ("bodies", { _ in runtime.object(of: bodies(failure: failure)) }),
            ("conversions", { _ in runtime.object(of: conversions) }),
            ("documents", { _ in runtime.object(of: DocumentFunctions(runtime: runtime, documents: documents).all) }),
        ]
    }

    private func bodies(
        failure: @escaping (ProviderError.Code, String) -> NativeError
    ) -> [(String, NativeFunction.Body)] {
        [
            (
                "text",
                { arguments throws(NativeError) in
                    try response(arguments).scriptText.use { JSValueMakeString(runtime.context, $0) }
                }
            ),
            (
                "json",
                { arguments throws(NativeError) in
                    let response = try response(arguments)
                    if let value = runtime.value(fromJSON: response.jsonText) { return value }
                    throw failure(.changed, "expected JSON, found \(BodyPreview(response))")
                }
            ),
            (
                "html",
                { arguments throws(NativeError) in
                    let response = try response(arguments)
                    return try parse { () throws(DocumentError) in
                        try documents.parseHTML(response.body, charset: response.charset, url: response.url.description)
                    }
                }
            ),
            (
                "xml",
                { arguments throws(NativeError) in
                    let response = try response(arguments)
                    do throws(DocumentError) {
                        let handle = try documents.parseXML(
                            response.body, charset: response.charset, url: response.url.description)
                        return runtime.value(Double(handle.rawValue))
                    } catch {
                        throw failure(.changed, "expected XML, found \(BodyPreview(response)): \(error.message)")
                    }
                }
            ),
        ]
    }

    // MARK: Groups of functions

    private var parseURL: (String, NativeFunction.Body) {
        (
            "parseURL",
            { arguments throws(NativeError) in
                let text = runtime.string(arguments.first) ?? ""
                let base = arguments.count > 1 ? runtime.string(arguments[1]) ?? "" : ""
                guard let url = try? base.isEmpty ? WebURL(text) : WebURL(base).resolving(text) else {
                    return runtime.null  // the script learns that it is no URL
                }
                return runtime.value(fromJSON: ScriptText(url.partsJSON)) ?? runtime.null
            }
        )
    }

    private var conversions: [(String, NativeFunction.Body)] {
        [
            (
                "parseHTML",
                { arguments throws(NativeError) in
                    let text = runtime.string(arguments.first) ?? ""
                    return try parse { () throws(DocumentError) in
                        try documents.parseHTML(Array(text.utf8), charset: "utf-8", url: "")
                    }
                }
            ),
            (
                "hash",
                { arguments throws(NativeError) in
                    let text = runtime.string(arguments[1]) ?? ""
                    let digest = Digest.hex(
                        of: text, algorithm: runtime.string(arguments[0]) ?? "", key: runtime.string(arguments[2]))
                    return runtime.value(digest)
                }
            ),
            (
                "base64FromHex",
                { arguments throws(NativeError) in
                    let digits = Array((runtime.string(arguments[0]) ?? "").utf8)
                    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                        UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
                    }
                    return runtime.value(Digest.base64(bytes))
                }
            ),
            (
                "base64Encode",
                { arguments throws(NativeError) in
                    runtime.value(Digest.base64(Array((runtime.string(arguments[0]) ?? "").utf8)))
                }
            ),
            (
                "base64Decode",
                { arguments throws(NativeError) in
                    runtime.value(Digest.decodeBase64(runtime.string(arguments[0]) ?? ""))
                }
            ),
            (
                "dateOfNumber",
                { arguments throws(NativeError) in
                    let date = runtime.number(arguments[0]).flatMap(WrittenDate.init(sinceEpoch:))
                    return date.map { runtime.value($0.iso8601) } ?? runtime.null
                }
            ),
            (
                "dateOfText",
                { arguments throws(NativeError) in
                    let date = WrittenDate(runtime.string(arguments[0]) ?? "")
                    return date.map { runtime.value($0.iso8601) } ?? runtime.null
                }
            ),
            (
                "warn",
                { arguments throws(NativeError) in
                    console.write("warning", runtime.string(arguments[0]) ?? "")
                    return runtime.undefined
                }
            ),
            (
                "decodeEntities",
                { arguments throws(NativeError) in
                    runtime.value(CharacterReferenceReader.resolved(runtime.string(arguments[0]) ?? ""))
                }
            ),
        ]
    }

    private var modulesAndLog: [(String, NativeFunction.Body)] {
        [
            (
                "compile",
                { arguments throws(NativeError) in
                    let file = runtime.string(arguments[0]) ?? ""
                    let source = runtime.string(arguments[1]) ?? ""
                    do throws(ScriptRuntime.Interruption) {
                        return try modules.compile(source, file: file, in: runtime)
                    } catch {
                        switch error {
                        case .thrown(let value): throw .value(value)
                        case .timeLimit: throw .message("\(file) ran too long")
                        }
                    }
                }
            ),
            (
                "resolve",
                { arguments throws(NativeError) in
                    let file = try modules.resolve(
                        runtime.string(arguments[0]) ?? "", from: runtime.string(arguments[1]) ?? "")
                    return runtime.value(file)
                }
            ),
            (
                "module",
                { arguments throws(NativeError) in
                    let source = try modules.source(
                        of: runtime.string(arguments[0]) ?? "", for: runtime.string(arguments[1]) ?? "")
                    return runtime.value(source)
                }
            ),
            (
                "log",
                { arguments throws(NativeError) in
                    console.write(runtime.string(arguments[0]) ?? "info", runtime.string(arguments[1]) ?? "")
                    return runtime.undefined
                }
            ),
        ]
    }

    private func response(_ arguments: [JSValueRef]) throws(NativeError) -> ProviderResponse {
        try responses.response(runtime.number(arguments.first).flatMap(Int.init(exactly:)) ?? -1)
    }

    private func parse(_ body: () throws(DocumentError) -> NodeHandle) throws(NativeError) -> JSValueRef {
        do throws(DocumentError) { return runtime.value(Double(try body().rawValue)) } catch {
            throw .message(error.message)
        }
    }
}

// MARK: - Texts

/// The beginning of a body that is not what was asked for, for an error message.
struct BodyPreview: CustomStringConvertible {
    let description: String

    init(_ response: ProviderResponse) {
        let start = String(decoding: response.body.prefix(2_000), as: UTF8.self).trimmingSpaces
        let flat = start.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // Of ASCII only: places in it have to be places in `flat`, too, and other letters may change their length.
        let lower = String(decoding: flat.utf8.map(\.asciiLowercased), as: UTF8.self)
        if flat.isEmpty {
            description = "an empty body"
        } else if lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html") {
            let title = lower.place(of: "<title>").flatMap { open in
                lower[open.upperBound...].place(of: "</title>").map { flat[open.upperBound..<$0.lowerBound] }
            }
            description = title.map { "an HTML page titled \(String($0).quoted)" } ?? "an HTML page"
        } else {
            description = flat.quoted
        }
    }
}

extension WebURL {
    /// The parts a script's `URL` shows.
    fileprivate var partsJSON: String {
        var json = JSONWriter()
        let hash = description.firstIndex(of: "#").map { String(description[$0...]) } ?? ""
        json.object { json in
            json.member("href", description)
            json.member("protocol", scheme.rawValue + ":")
            json.member("host", authority)
            json.member("pathname", path)
            json.member("search", query.map { $0.isEmpty ? "" : "?\($0)" } ?? "")
            json.member("hash", hash == "#" ? "" : hash)
        }
        return json.text
    }
}

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
