import ProviderModel

/// Widths, heights and lengths are such as files have.
struct SizesCheck: ConformanceCheck {
    let name = "sizes are plausible"
    let reason = "Filters, layouts and the choice of a file go by them; a wrong size is worse than none."

    /// No image anyone shows has a longer side.
    private static let longestSide = 200_000
    private static let mostBytes = 20 << 30

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let items = subject.recordedItems
        guard !items.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        var measured = 0
        for (call, index, item) in items {
            for (place, file) in item.media.enumerated() {
                if file.width != nil { measured += 1 }
                let path = "items[\(index)].media[\(place)]"
                for message in Self.faults(of: file) {
                    findings.fail(
                        TestReport.Problem(
                            "\(call): \(message)", hint: "leave out what the source does not know",
                            location: subject.location(of: call.operation), path: path))
                }
                if (file.width == nil) != (file.height == nil) {
                    findings.warn(
                        TestReport.Problem(
                            "\(call): found only one of width and height", hint: "give both or none",
                            location: subject.location(of: call.operation), path: path))
                }
            }
            checkOrder(of: item, at: index, call, on: subject, &findings)
        }
        findings.note = "\(measured) of \(items.reduce(0) { $0 + $1.item.media.count }) files have one"
        return findings
    }

    /// What no file can be.
    static func faults(of file: Media) -> [String] {
        var faults: [String] = []
        for (name, side) in [("width", file.width), ("height", file.height)] {
            if let side, side < 1 || side > longestSide {
                faults.append("found \(name) \(side), expected 1 to \(longestSide) pixels")
            }
        }
        if let bytes = file.bytes, bytes < 1 || bytes > mostBytes {
            faults.append("found \(bytes) bytes, expected a file's length")
        }
        return faults
    }

    /// A thumbnail is no larger than its original.
    private func checkOrder(
        of item: Item, at index: Int, _ call: ProviderCall, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        guard let original = item.media.first(where: { $0.role == .original }),
            let thumbnail = item.media.first(where: { $0.role == .thumbnail }),
            let large = original.width, let small = thumbnail.width, small > large, small > 400
        else { return }
        findings.warn(
            TestReport.Problem(
                "\(call): found a thumbnail \(small) pixels wide beside an original of \(large)",
                hint: "check which size belongs to which role", location: subject.location(of: call.operation),
                path: "items[\(index)].media"))
    }
}
