import ImgScript
import ProviderModel

/// The tools that find and show images.
struct ImageTools: Sendable {
    /// The most images of one listing, over all providers: more is too much for a model to read.
    private static let listingLimit = 200
    /// The longer side of a picture, in pixels, where a call does not say.
    static let side = 768

    let engine: ImageEngine
    /// The providers that are asked where a call names none.
    let providers: [String]

    var tools: [MCPTool] { [search, similar, details, picture, license, list] }

    // MARK: Listings

    private var search: MCPTool {
        MCPTool(name: "search_images") { arguments, call in
            try await images(of: .search(arguments.text("query") ?? ""), in: providers, arguments, call)
        }
    }

    private var similar: MCPTool {
        MCPTool(name: "similar_images") { arguments, call in
            let image = arguments.text("image") ?? ""
            // A path would have a file of the user's sent to a source.
            guard DownloadInput.isReference(image) else {
                throw MCPTool.Failure("image: found \(image.quoted) (expected PROVIDER:ID or a URL)")
            }
            var address = image
            if !image.isWebAddress {
                guard let media = try await engine.details(of: image).bestMedia else {
                    throw MCPTool.Failure("\(image) has no file")
                }
                address = media.url.description
            }
            return try await images(of: .similar(try engine.searchImage(address)), in: ["all"], arguments, call)
        }
    }

    private func images(
        of listing: Listing, in defaults: [String], _ arguments: MCPArguments, _ call: MCPCall
    ) async throws -> MCPResult {
        let notes = MCPNotes()
        let named = arguments.texts("providers")
        let names = named.isEmpty ? defaults : named
        let options = try options(arguments, providerCount: engine.providerNames(for: names).count)
        let cursor = try arguments.value("cursor", "next_cursor of a result") { ListingCursor($0) }
        let part = try engine.part(of: listing, in: names, after: cursor, options, context: notes.context)
        var images: [JSONValue] = []
        var failures: [(provider: String, error: any Error)] = []
        var leftOut = 0
        var summaries = ImageSummaries(engine)
        for await event in part.events {
            switch event {
            case .image(let item):
                images.append(try await summaries.json(of: item))
                call.report(images.count, "found \(images.count) images")
            // Of many, one that has no such list is not worth a word.
            case .failure(_, let error as EngineError) where error.isSkip: break
            case .failure(let provider, let error): failures.append((provider, error))
            case .finished(let summary): leftOut += summary.filtered
            }
        }
        try Task.checkCancellation()
        if images.isEmpty, leftOut == 0, let first = failures.first { throw first.error }
        if leftOut > 0, !arguments.flag("include_unlicensed") {
            notes.add("images without a stated licence are left out; include_unlicensed lists them, too")
        }
        return MCPResult(
            structured: .members([
                ("images", .array(images)), ("left_out", .integer(leftOut)),
                ("next_cursor", .string(part.next(leavingOut: Set(failures.map(\.provider)))?.description)),
                (
                    "failures",
                    .array(
                        failures.map {
                            ["provider": .text($0.provider), "message": .text(MCPTool.Failure($0.error).text)]
                        })
                ), ("notes", .texts(notes.all)),
            ]))
    }

    private func options(_ arguments: MCPArguments, providerCount: Int) throws -> SearchOptions {
        var options = SearchOptions()
        options.limit = min(arguments.integer("limit") ?? 10, max(Self.listingLimit / max(providerCount, 1), 1))
        options.skipsUnknownParameters = true
        options.filter.licenses = arguments.texts("license")
        options.filter.minimumWidth = arguments.integer("min_width")
        options.filter.minimumHeight = arguments.integer("min_height")
        options.filter.since = try arguments.value("since", "a date such as 2026-05-01, or 7d") { FilterDate($0) }
        options.filter.until = try arguments.value("until", "a date such as 2026-05-01, or 7d") { FilterDate($0) }
        options.filter.aspect = try arguments.value("aspect", "landscape, portrait, square or 16:9") { AspectRatio($0) }
        if !arguments.flag("include_unlicensed") { try options.filter.requireLicense() }
        return options
    }

    // MARK: Single images

    private var details: MCPTool {
        MCPTool(name: "image_details") { arguments, _ in
            let item = try await image(arguments.text("ref") ?? "")
            var summaries = ImageSummaries(engine)
            var json = JSONWriter()
            item.write(to: &json)
            return MCPResult(structured: [
                "image": try await summaries.json(of: item),
                "credit_html": .text(try await summaries.credit(of: item).html),
                "item": try JSONValue(parsing: json.bytes),
            ])
        }
    }

    private var picture: MCPTool {
        MCPTool(name: "get_image") { arguments, _ in
            let item = try await image(arguments.text("ref") ?? "")
            if !arguments.flag("include_unlicensed") { try item.checkLicense() }
            let picture = try await engine.images.picture(of: item, within: arguments.integer("max_side") ?? Self.side)
            var summaries = ImageSummaries(engine)
            return MCPResult(structured: try await summaries.json(of: item), picture: picture)
        }
    }

    private var license: MCPTool {
        MCPTool(name: "license_of") { arguments, _ in
            let url = arguments.text("url") ?? ""
            do {
                let item = try await image(url)
                var summaries = ImageSummaries(engine)
                let isStated = item.license != nil
                return MCPResult(structured: [
                    "stated": .boolean(isStated), "image": try await summaries.json(of: item),
                    "note": isStated
                        ? "show the credit with the image" : "the source states no licence: ask the author",
                ])
            } catch let error as ProviderError where error.code == .notFound && error.provider.isEmpty {
                return MCPResult(structured: [
                    "stated": false,
                    "note": .text("\(error.message): it may not be used without its author's word"),
                ])
            }
        }
    }

    /// An image with its details.
    func image(_ reference: String) async throws -> Item {
        let item = try await engine.details(of: reference)
        guard item.type != .collection else {
            throw MCPTool.Failure("\(reference.quoted) is a collection (expected an image)")
        }
        return item
    }

    // MARK: Providers

    private var list: MCPTool {
        MCPTool(name: "list_providers") { arguments, call in
            let text = arguments.text("text")?.lowercased() ?? ""
            let operation = arguments.text("operation").flatMap(ProviderOperation.init)
            let listings = await engine.listProviders { call.report($0, of: $1, "loading the providers") }
            // One that cannot be used is none to be asked; `imgscript providers` says why.
            let manifests = listings.compactMap { try? $0.manifest.get() }.filter { manifest in
                let texts = [manifest.id.description, manifest.name, manifest.summary, manifest.terms.license]
                return (text.isEmpty || texts.contains { $0?.lowercased().contains(text) == true })
                    && (operation.map { manifest.description(of: $0) != nil } ?? true)
            }
            let providers = manifests.map { manifest in
                JSONValue.members([
                    ("id", .string(manifest.id.description)), ("name", .string(manifest.name)),
                    ("summary", .string(manifest.summary)), ("homepage", .string(manifest.homepage?.description)),
                    ("license", .string(manifest.terms.license)), ("terms", .string(manifest.terms.url?.description)),
                    ("operations", .texts(manifest.operations.map(\.operation.rawValue))),
                    ("needs_key", .boolean(manifest.needsKey)),
                ])
            }
            return MCPResult(structured: ["providers": .array(providers)])
        }
    }
}

extension EngineError {
    fileprivate var isSkip: Bool { if case .skipped = code { true } else { false } }
}
