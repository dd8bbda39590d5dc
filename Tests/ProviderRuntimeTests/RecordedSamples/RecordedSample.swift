import Foundation
import HTTPTypes
import ProviderModel
import ProviderRuntime
import Testing

/// Recorded answers, what is done with them, and where in them stands what comes out.
struct RecordedSample: Sendable, CustomTestStringConvertible {
    /// What a provider is asked for.
    enum Action: Sendable {
        case search
        case feed([String: String] = [:])
        case details(id: String = "x1")
        case collection(id: String = "collection:301")
    }

    var provider: String
    var action: Action
    /// The part of the URL that `file` answers; all URLs by default.
    var part: String
    var file: String
    /// More files by the part of the URL they answer.
    var files: [String: String]
    /// More answers, by the part of the URL, that no sample has.
    var texts: [String: String]
    /// The path of the entries that items are read from; nil where the answer is one item.
    var entries: String?
    var count: Int
    var total: SampleMapping?
    /// The last item's id, where not every entry becomes an item.
    var last: SampleMapping?
    /// The first item's fields, but `extra`, by path: `author.name`.
    ///
    /// It is an image unless it says otherwise.
    var first: [String: SampleMapping]

    init(
        _ provider: String, _ action: Action, _ file: String, answering part: String = "",
        files: [String: String] = [:], texts: [String: String] = [:], entries: String? = nil, count: Int = 1,
        total: SampleMapping? = nil, last: SampleMapping? = nil, first: [String: SampleMapping] = [:],
        media: [SampleFile] = []
    ) {
        self.provider = provider
        self.action = action
        self.part = part
        self.file = file
        self.files = files
        self.texts = texts
        self.entries = entries
        self.count = count
        self.total = total
        self.last = last
        self.first = first
        for (index, file) in media.enumerated() {
            for (name, mapping) in file.fields { self.first["media[\(index)].\(name)"] = mapping }
        }
    }

    var testDescription: String { "\(provider) \(file)" }

    /// What the provider's script reads in the recorded answers.
    func page() async throws -> Page {
        var answers = texts.map { ScriptedTransport.Answer(part: $0.key, body: Array($0.value.utf8)) }
        answers.append(try RecordedSamples.answer(provider, file, to: part))
        for (part, file) in files { answers.append(try RecordedSamples.answer(provider, file, to: part)) }
        answers.sort { $0.part.count > $1.part.count }
        let source = try await TestProvider.shipped(provider, over: ScriptedTransport(answers))
        var query = ProviderQuery()
        switch action {
        case .search:
            query.text = "x"
            return try await source.page(of: .search(query.text), for: query)
        case .feed(let parameters):
            query.parameters = parameters.map { ProviderQuery.Parameter($0.key, .text($0.value)) }
            return try await source.page(of: .feed, for: query)
        case .details(let id):
            return Page(items: [try await source.details(of: Item(provider: source.manifest.id, id: id))])
        case .collection(let id):
            let item = Item(provider: source.manifest.id, id: id, type: .collection)
            return try await source.page(of: .collection(item), for: query)
        }
    }

    /// The answer that items are read from.
    var reading: SampleReading {
        get throws {
            var bodies = texts
            for (part, file) in files.merging([part: file], uniquingKeysWith: { $1 }) {
                bodies[part] = String(decoding: try RecordedSamples.answer(provider, file).body, as: UTF8.self)
            }
            let head = try RecordedSamples.answer(provider, file).headers
            let headers = head.map { ($0.name.canonicalName, $0.value) }
            return try SampleReading(part: part, of: bodies, headers: Dictionary(headers) { $1 })
        }
    }
}

extension RecordedSample {
    /// What the recorded answers of all shipped providers say.
    static let all = unsplash + pixabay + itunes + openverse + flickr + boards + cursors + feeds + museums + photographs
}

extension RecordedSample {
    /// What of a page is not as the sample says, one line for each difference.
    func differences(of page: Page) throws -> [String] {
        let reading = try reading
        let readings = try entries.map { try reading.entries(at: $0) } ?? [reading]
        var lines: [String] = []
        func compare(_ name: String, _ found: String?, _ expected: String?) {
            guard found != expected else { return }
            lines.append("\(name): \(found ?? "nothing"), the sample says \(expected ?? "nothing")")
        }
        compare("count", "\(page.items.count)", "\(count)")
        compare("total", page.total.map { "\($0)" }, try total.flatMap { try $0.value(reading)?.text })
        compare("different ids", "\(Set(page.items.map(\.id)).count)", "\(count)")
        guard let item = page.items.first, let entry = readings.first else { return lines }

        let found = try item.fields
        let expected = try fields(in: entry)
        for name in Set(found.keys).union(expected.keys).sorted() { compare(name, found[name], expected[name]) }

        if let last {
            compare("last id", page.items.last?.id, try last.value(reading)?.text)
        } else {
            compare("count of entries", "\(readings.count)", "\(count)")
            for (item, entry) in zip(page.items, readings) {
                compare("id", item.id, try first["id"]?.value(entry)?.text)
            }
        }
        return lines
    }

    /// The first item's fields as the sample says.
    private func fields(in entry: SampleReading) throws -> [String: String] {
        var fields = ["type": "image"]
        for (name, mapping) in first {
            switch try mapping.value(entry) {
            case .one(let text): fields[name] = text
            case .list(let texts): for (index, text) in texts.enumerated() { fields["\(name)[\(index)]"] = text }
            case nil: throw SampleError("\(name): the sample has nothing there")
            }
        }
        return fields
    }
}

extension SampleMapping.Value {
    /// The one text.
    var text: String? {
        guard case .one(let text) = self else { return nil }
        return text
    }
}

/// Where an entry of `media` stands in a recorded answer.
struct SampleFile: Sendable {
    /// The entry's fields by name.
    var fields: [String: SampleMapping]

    init(
        _ role: String, _ url: SampleMapping, width: SampleMapping? = nil, height: SampleMapping? = nil,
        bytes: SampleMapping? = nil, format: SampleMapping? = nil, expires: SampleMapping? = nil,
        watermarked: Bool? = nil
    ) {
        fields = ["role": SampleMapping(role), "url": url]
        fields["width"] = width
        fields["height"] = height
        fields["bytes"] = bytes
        fields["format"] = format
        fields["expires"] = expires
        fields["watermarked"] = watermarked.map { SampleMapping("\($0)") }
    }
}
