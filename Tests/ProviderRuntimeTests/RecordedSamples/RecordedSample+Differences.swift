import ProviderModel

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
