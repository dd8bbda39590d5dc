import FoundationEssentials
import Hummingbird
import HummingbirdCore
import ProviderModel
import Synchronization

/// The lists that the page keeps in the gallery's folder, whichever port and browser it is opened with.
final class PageStore: Sendable {
    /// The names of the lists: searches, choices of sources, the titles of collections, and settings.
    static let names = ["recent", "saved", "sources", "settings"]
    /// The most bytes of a list.
    private static let byteLimit = 1 << 20

    private let folder: String
    /// Written one after another.
    private let writing = Mutex(())

    init(folder: String) { self.folder = folder }

    /// Answers `GET /page/store` with all of them.
    func all(_ request: Request, _ context: GalleryContext) -> Response {
        var json = JSONWriter()
        json.object { json in
            for name in Self.names {
                guard let data = try? Data(contentsOf: URL(filePath: path(of: name))),  // what is not there is not kept
                    let value = JSONValue.found(in: data), value.members != nil
                else { continue }
                json.name(name)
                json.value(JSONText(validated: value.compact))
            }
        }
        return Response(json: json)
    }

    /// Answers `PUT /page/store/NAME` with one object.
    func set(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let name = context.parameters.get("name") ?? ""
        guard Self.names.contains(name) else { throw APIError.notFound("no such list") }
        let text = try await request.json(upTo: Self.byteLimit).compact
        let path = path(of: name)
        let isWritten = writing.withLock { _ in
            // That there is no folder is told of below.
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return (try? Data(text.utf8).write(to: URL(filePath: path), options: .atomic)) != nil
        }
        guard isWritten else { throw APIError(.internalServerError, "file", "could not write \(path)") }
        return Response(status: .noContent)
    }

    private func path(of name: String) -> String { "\(folder)/page-\(name).json" }
}
