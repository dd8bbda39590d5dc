import Downloads
import Hummingbird
import ProviderModel

/// What was downloaded, as one more source: listed, searched, compared and removed.
struct LibraryRoutes: Sendable {
    let library: DownloadLibrary
    let pictures: PictureAddresses

    /// The name under which its listing tells of itself.
    private static let name = "library"
    /// How long one request compares pictures that were not compared yet.
    private static let comparisonTime = Duration.milliseconds(1_500)

    private var presenter: LibraryPresenter { LibraryPresenter(pictures: pictures) }

    /// What a request asks for.
    private struct Query: Sendable {
        let text: String
        let order: DownloadLibrary.Order
        let limit: Int
        let position: DownloadLibrary.Position?

        init(_ request: Request) throws(APIError) {
            let query = try QueryParameters(request)
            try query.check(["q", "order", "limit", "cursor"])
            text = try query.value("q") ?? ""
            limit = try query.number("limit", within: 1...500) ?? 60
            let name = try query.value("order") ?? DownloadLibrary.Order.newest.rawValue
            guard let order = DownloadLibrary.Order(rawValue: name) else {
                let names = DownloadLibrary.Order.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("order is \(name.quoted) (expected one of \(names))")
            }
            self.order = order
            guard let cursor = try query.value("cursor") else {
                position = nil
                return
            }
            let parts = LibraryFileID.path(of: cursor).flatMap { JSONValue.found(in: Array($0.utf8)) }?.elements?
                .compactMap(\.textValue)
            guard let parts, parts.count == 3, parts[0] == Self.subject(order, text) else {
                throw .invalid("cursor is not valid (expected next of a part of the same listing)")
            }
            position = DownloadLibrary.Position(value: parts[1], path: parts[2])
        }

        /// A cursor holds for one listing.
        private static func subject(_ order: DownloadLibrary.Order, _ text: String) -> String { "\(order) \(text)" }

        func cursor(at position: DownloadLibrary.Position) -> String {
            var json = JSONWriter()
            json.array([Self.subject(order, text), position.value, position.path]) { $0.value($1) }
            return LibraryFileID.text(of: json.text)
        }
    }

    // MARK: Listing

    /// Answers `GET /library`.
    func images(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let query = try Query(request)
        let page = try page(query)
        var json = JSONWriter()
        json.object { json in
            json.name("images")
            json.array(page.files) { $0.value(presenter.json($1)) }
            json.name("next")
            json.value(page.next.map { .init(text: query.cursor(at: $0)) } ?? JSONText.null)
            json.name("providers")
            json.array([page]) { json, page in json.object { write(page, query, total: count(query), to: &$0) } }
            json.name("failures")
            json.array([String]()) { $0.value($1) }
        }
        return Response(json: json)
    }

    /// Answers `GET /library/events`: the same part as the listing of a source has it.
    func events(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let query = try Query(request)
        let page = try page(query)
        let total = count(query)
        return .events(context) { continuation in
            continuation.yield(
                ServerSentEvent("start") { json in
                    json.name("providers")
                    json.array([Self.name]) { $0.value($1) }
                })
            for file in page.files { continuation.yield(ServerSentEvent("image", presenter.json(file))) }
            for notice in Self.notices(page) { continuation.yield(notice) }
            continuation.yield(ServerSentEvent("provider") { write(page, query, total: total, to: &$0) })
            continuation.yield(
                ServerSentEvent("end") { json in
                    json.name("next")
                    json.value(page.next.map { .init(text: query.cursor(at: $0)) } ?? JSONText.null)
                })
        }
    }

    private func page(_ query: Query) throws -> DownloadLibrary.Page {
        do {
            return try library.page(matching: query.text, query.order, after: query.position, limit: query.limit)
        } catch { throw APIError(error) }
    }

    /// A listing without its number is as good.
    private func count(_ query: Query) -> Int? { try? library.count(matching: query.text) }

    private func write(_ page: DownloadLibrary.Page, _ query: Query, total: Int?, to json: inout JSONWriter) {
        json.member("provider", Self.name)
        json.member("count", page.files.count)
        json.member("total", total)
        json.member("filtered", 0)
        json.member("next", page.next.map { query.cursor(at: $0) })
    }

    private static func notices(_ page: DownloadLibrary.Page) -> [ServerSentEvent] {
        let left = [
            ("missing", page.missing, "no longer in the folder"),
            ("bundled", page.bundled, "inside archives, and not shown"),
        ]
        return left.filter { $0.1 > 0 }.map { code, count, words in
            ServerSentEvent("notice") { json in
                json.member("code", code)
                json.member("provider", name)
                json.member("message", "\(count) downloaded \(count == 1 ? "file is" : "files are") \(words)")
                json.member("count", count)
            }
        }
    }

    // MARK: Files

    /// Answers `GET /library/files/ID`.
    func file(_ request: Request, _ context: GalleryContext) async throws -> Response {
        try QueryParameters(request).check([])
        let file: LibraryFile?
        do { file = try library.file(at: try path(context)) } catch { throw APIError(error) }
        guard let file else { throw APIError.notFound("no such file in the library") }
        return Response(json: presenter.json(file))
    }

    /// Answers `DELETE /library/files/ID`, with `file=true` for the file itself, too.
    func remove(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let query = try QueryParameters(request)
        try query.check(["file"])
        let value = try query.value("file") ?? "false"
        guard ["true", "false"].contains(value) else {
            throw APIError.invalid("file is \(value.quoted) (expected true or false)")
        }
        let wasKnown: Bool
        do { wasKnown = try library.remove(try path(context), deletingFile: value == "true") } catch {
            throw APIError(error)
        }
        guard wasKnown else { throw APIError.notFound("no such file in the library") }
        return Response(status: .noContent)
    }

    private func path(_ context: GalleryContext) throws(APIError) -> String {
        guard let path = LibraryFileID.path(of: context.parameters.get("id") ?? ""), !path.utf8.contains(0) else {
            throw .notFound("no such file in the library")
        }
        return path
    }

    /// Answers `GET /library/duplicates`.
    func duplicates(_ request: Request, _ context: GalleryContext) async throws -> Response {
        try QueryParameters(request).check([])
        let library = library
        let alike = try await context.untilDisconnect {
            do { return try await library.alike(within: Self.comparisonTime) } catch { throw APIError(error) }
        }
        let groups = try alike.groups.prefix(200).map { try $0.compactMap { try library.file(at: $0) } }
        var json = JSONWriter()
        json.object { json in
            json.name("groups")
            json.array(groups.filter { $0.count > 1 }) { json, files in
                json.array(files) { $0.value(presenter.json($1)) }
            }
            json.member("remaining", alike.remaining)
            json.member("obstacle", alike.obstacle)
        }
        return Response(json: json)
    }
}
