import Crypto
import FoundationEssentials
import Hummingbird
import ProviderModel

/// The page's files: those in the program, or those of a folder while somebody works on them.
struct PageFiles: Sendable {
    /// A file as it is served.
    private struct File {
        let bytes: [UInt8]
        let type: String
        let tag: String
    }

    private let folder: String?
    private let files: [String: File]

    init(folder: String?) {
        self.folder = folder
        files = Dictionary(uniqueKeysWithValues: Self.embedded.map { ($0.key, Self.file($0.key, $0.value)) })
    }

    /// The file of a name.
    func file(named name: String, _ request: Request) throws -> Response {
        guard let file = try folder.map({ try Self.read(name, in: $0) }) ?? files[name] else {
            throw APIError.notFound("no such file")
        }
        var headers: HTTPFields = [.cacheControl: "no-cache", .eTag: file.tag]
        if request.headers[values: .ifNoneMatch].contains(where: { $0.contains(file.tag) }) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = file.type
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    private static func read(_ name: String, in folder: String) throws(APIError) -> File? {
        // A name is no path: it leads nowhere else.
        guard !name.contains("/"), !name.hasPrefix("."), types[Self.ending(of: name)] != nil,
            let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))  // what cannot be read is not there
        else { return nil }
        return file(name, Array(data))
    }

    private static func file(_ name: String, _ bytes: [UInt8]) -> File {
        let digest = SHA256.hash(data: bytes).prefix(8).hexadecimal
        return File(bytes: bytes, type: types[ending(of: name)] ?? "application/octet-stream", tag: "\"\(digest)\"")
    }

    private static func ending(of name: String) -> String { name.split(separator: ".").last.map(String.init) ?? "" }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
    ]
}
