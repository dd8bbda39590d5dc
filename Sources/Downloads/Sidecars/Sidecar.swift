import Glibc
import ProviderModel

/// What is known of a fetched file: the whole item, and how the file came.
struct Sidecar {
    private let wanted: WantedFile
    private let url: String
    private let path: String
    private let bytes: Int
    private let hash: ContentHash
    private let time: Int
    private let size: ImageSize?

    /// Of a file that has just come.
    init(_ planned: PlannedDownload, from media: Media, at path: String, _ file: FetchedFile, time: Int) {
        wanted = planned.wanted
        url = Self.url(of: media, planned.media)
        self.path = path
        bytes = file.bytes
        hash = file.hash
        self.time = time
        size = file.size
    }

    /// Of a file that came in an earlier run.
    init(_ wanted: WantedFile, at path: String, bytes: Int, _ hash: ContentHash, time: Int) {
        self.wanted = wanted
        url = Self.url(of: wanted.media, wanted.media)
        self.path = path
        self.bytes = bytes
        self.hash = hash
        self.time = time
        size = nil
    }

    /// The JSON text, in one line, without any secret.
    var json: [UInt8] {
        var json = JSONWriter()
        if let item = wanted.item {
            item.write(to: &json) { writeFetched(to: &$0) }
        } else {
            json.object { writeFetched(to: &$0) }
        }
        let text = json.bytes + [0x0a]
        return wanted.request.source.credentials?.redaction.redact(text) ?? text
    }

    private func writeFetched(to json: inout JSONWriter) {
        json.name("fetched")
        json.object { json in
            json.member("key", wanted.key.description)
            json.member("role", wanted.media.role.rawValue)
            json.member("url", url)
            json.member("path", path)
            json.member("bytes", bytes)
            json.member("sha256", hash.sha256?.hexadecimal)
            json.member("width", size?.width)
            json.member("height", size?.height)
            json.member("time", Self.written(time))
        }
    }

    /// The listed URL is as public as the listing; one that was made for this download alone may be signed.
    private static func url(of media: Media, _ listed: Media) -> String {
        media.url == listed.url ? media.url.description : media.url.origin + media.url.path
    }

    /// `2026-11-21T10:24:20Z`.
    private static func written(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 40)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Two digits for each byte.
    var hexadecimal: String {
        var text = ""
        text.reserveCapacity(count * 2)
        for byte in self { text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
        return text
    }
}
