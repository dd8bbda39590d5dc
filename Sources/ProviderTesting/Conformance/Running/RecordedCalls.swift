import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Finds out what a provider's cassettes were recorded for, without being told: which texts, ids and collections.
struct RecordedCalls {
    private var subject: ConformanceSubject
    private let manifest: ProviderManifest

    /// Words and numbers that no recording holds; some providers take only numbers for ids.
    private static let marks = ["imgscriptmark", "9876543219"]
    /// Sizes of a page that are tried, where the usual one was not recorded.
    private static let mostSizes = 6
    /// Detail calls that are tried: each costs a run of the script.
    private static let mostTried = 40

    init(of subject: ConformanceSubject) {
        self.subject = subject
        manifest = subject.manifest
    }

    /// The subject with all that was found.
    func found() async -> ConformanceSubject {
        var finder = self
        guard !subject.cassettes.isEmpty else { return subject }
        await finder.findSearches()
        await finder.findFeed()
        await finder.findCollections()
        await finder.findDetails()
        await finder.findDownloads()
        return finder.subject
    }

    private mutating func findSearches() async {
        guard manifest.description(of: .search) != nil else { return }
        for limit in limits where !isRecorded(.search) {
            let texts = await texts { mark in
                ProviderCall(.search(query(for: .search, text: mark, limit: limit)))
            }
            for found in texts {
                await add(ProviderCall(.search(query(for: .search, text: found.text, limit: limit))), found)
            }
        }
    }

    private mutating func findFeed() async {
        guard manifest.description(of: .feed) != nil else { return }
        for limit in limits where !isRecorded(.feed) {
            let call = ProviderCall(.feed(query(for: .feed, text: "", limit: limit)))
            await add(call, Found(text: "", cassette: "feed", status: 200))
        }
    }

    private func isRecorded(_ operation: Operation) -> Bool {
        subject.recorded.contains { $0.call.operation == operation }
            || subject.unreadCalls.contains { $0.call.operation == operation }
    }

    private func query(for operation: Operation, text: String, limit: Int) -> ProviderQuery {
        var query = manifest.standardQuery(for: operation, text: text)
        query.limit = limit
        return query
    }

    /// The usual size of a page, then sizes that recorded requests may have asked for.
    private var limits: [Int] {
        let size = manifest.limits.pageSize
        var limits = [manifest.standardQuery(for: .search).limit]
        for item in subject.cassettes.flatMap(\.entries).flatMap(\.url.queryItems) {
            guard let number = Int(item.value), number >= size.minimum, number <= size.maximum,
                !limits.contains(number), limits.count < Self.mostSizes
            else { continue }
            limits.append(number)
        }
        return limits
    }

    /// Collections are named by the items of type collection, and by the short forms that lead to one.
    private mutating func findCollections() async {
        guard manifest.description(of: .collection) != nil else { return }
        let provider = manifest.id
        let query = manifest.standardQuery(for: .collection)
        var templates = [Template("{id}")]
        for match in manifest.matches where match.type == .collection && !templates.contains(Template(match.id)) {
            templates.append(Template(match.id))
        }
        for template in templates {
            let found = await texts { mark in
                let id = template.filled { _ in mark }
                return ProviderCall(.collection(Item(provider: provider, id: id, type: .collection), query))
            }
            for found in found {
                let id = template.filled { _ in found.text }
                await add(ProviderCall(.collection(Item(provider: provider, id: id, type: .collection), query)), found)
            }
        }
        let known = subject.recordedItems.map(\.item).filter { $0.type == .collection }
        for item in known.prefix(Self.mostTried)
        where !subject.recorded.contains(where: { $0.call.operation == .collection }) {
            await add(ProviderCall(.collection(item, query)), Found(text: "", cassette: "collection", status: 200))
        }
    }

    private mutating func findDetails() async {
        guard manifest.description(of: .details) != nil else { return }
        let provider = manifest.id
        let found = await texts { ProviderCall(.details(Item(provider: provider, id: $0))) }
        for found in found { await add(ProviderCall(.details(Item(provider: provider, id: found.text))), found) }
        let items = subject.recordedItems.map(\.item).filter { $0.type == .image }
        for item in items.prefix(Self.mostTried)
        where subject.recorded.count(where: { $0.call.operation == .details }) < 3 {
            await add(ProviderCall(.details(item)), Found(text: "", cassette: "details", status: 200))
        }
    }

    private mutating func findDownloads() async {
        guard manifest.description(of: .download) != nil else { return }
        let items = subject.recordedItems.map(\.item).filter { !$0.media.isEmpty }
        for item in items.prefix(Self.mostTried)
        where !subject.recorded.contains(where: { $0.call.operation == .download }) {
            let call = ProviderCall(.download(item.media[0], of: item))
            await add(call, Found(text: "", cassette: "download", status: 200))
        }
    }

    // MARK: Texts

    private struct Found: Hashable {
        var text: String
        var cassette: String
        var status: Int
    }

    /// What stands in recorded requests where a call's text would stand.
    private func texts(_ call: (String) -> ProviderCall) async -> [Found] {
        for mark in Self.marks {
            guard case .success(let requests) = await subject.firstRequests(of: call(mark)), !requests.isEmpty else {
                continue
            }
            let templates = requests.map { RequestTemplate($0, mark: mark) }
            var found: [Found] = []
            var known: Set<String> = []
            for cassette in subject.cassettes {
                for entry in cassette.entries {
                    guard let text = templates.lazy.compactMap({ $0.text(in: entry) }).first, !text.isEmpty else {
                        continue
                    }
                    let result = Found(text: text, cassette: cassette.name, status: entry.status)
                    if known.insert(text).inserted { found.append(result) }
                }
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Runs a call and files it under what it shows; one whose answers are not all recorded is left out.
    private mutating func add(_ call: ProviderCall, _ found: Found) async {
        for call in [call] + spellings(of: call) {
            let take = await subject.play(call)
            switch take.result {
            case .success(let result):
                if found.cassette == "empty" {
                    subject.emptyCalls.append(call)
                } else if found.cassette == "errors" {
                    subject.failingCalls.append((call, found.status))
                } else {
                    subject.recorded.append(
                        ConformanceSubject.Recorded(
                            call: call, result: result, requests: take.requests, answers: take.answers,
                            duration: take.duration))
                    if result.page != nil { await walk(call) }
                }
                return
            case .failure(let error):
                if error is UnmatchedRequest { continue }
                if found.cassette == "empty" {
                    subject.emptyCalls.append(call)
                } else if found.cassette != "errors", found.status == 200, Self.isFault(error) {
                    subject.unreadCalls.append((call, error))
                } else {
                    subject.failingCalls.append((call, found.status))
                }
                return
            }
        }
    }

    /// Whether an error is the script's and not one that the source gave.
    private static func isFault(_ error: any Error) -> Bool {
        guard let error = error as? ProviderError else { return true }
        return [.script, .result, .changed, .worker, .timeout, .memory].contains(error.code)
    }

    /// Other texts that may have led to the same request: spaces are often written as signs.
    private func spellings(of call: ProviderCall) -> [ProviderCall] {
        guard case .search(let query) = call.action else { return [] }
        return ["+", "_", "-"].filter { query.text.contains($0) }.map { sign in
            var query = query
            query.text = query.text.replacing(sign, with: " ")
            return ProviderCall(.search(query))
        }
    }

    private mutating func walk(_ call: ProviderCall) async {
        guard var query = call.query else { return }
        var pages: [Page] = []
        var end = ListingWalk.End.endless
        while pages.count < ListingWalk.longest {
            let take = await subject.play(call.with(query))
            guard case .success(let result) = take.result, let page = result.page else {
                if case .failure(let error) = take.result {
                    end = (error as? UnmatchedRequest).map { .unrecorded($0) } ?? .failed(error)
                }
                break
            }
            pages.append(page)
            guard let next = ListingWalk.next(after: page, of: query, in: manifest) else {
                end = .reached
                break
            }
            query = next
        }
        subject.walks.append(ListingWalk(call: call, pages: pages, end: end))
    }
}
