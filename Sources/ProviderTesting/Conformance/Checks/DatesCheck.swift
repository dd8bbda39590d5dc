import ProviderModel

/// Dates are days of the calendar, and such as pictures can have.
struct DatesCheck: ConformanceCheck {
    let name = "dates parse"
    let reason = "Sorting and naming by date need days that exist."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let items = subject.recordedItems
        guard !items.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        var dated = 0
        for (call, index, item) in items {
            var dates = item.created.map { [("created", $0)] } ?? []
            dated += dates.count
            dates += item.media.enumerated().compactMap { place, file in
                file.expires.map { ("media[\(place)].expires", $0) }
            }
            for (field, text) in dates {
                guard let fault = Self.fault(in: text) else { continue }
                let problem = TestReport.Problem(
                    "\(call): \(fault.message)", hint: "use parseDate(…), and leave out what is unknown",
                    location: subject.location(of: call.operation), path: "items[\(index)].\(field)")
                if fault.isDoubt { findings.warn(problem) } else { findings.fail(problem) }
            }
        }
        findings.note = "\(dated) of \(items.count) items have one"
        return findings
    }

    /// What is wrong with a date; a doubt is a date that exists but is hardly meant.
    static func fault(in text: String) -> (message: String, isDoubt: Bool)? {
        let isPartial = text.utf8.count < 10
        let whole = isPartial ? text + "-01-01".dropFirst(max(0, text.utf8.count - 4)) : text
        guard let day = CalendarDay(whole) else { return ("found \(text.quoted), expected a day that exists", false) }
        if text.hasPrefix("1970-01-01T00:00:00") || text.hasPrefix("0001-01-01") {
            return ("found \(text.quoted), which is what no date becomes", true)
        }
        let year = Int(text.prefix(4)) ?? 0
        guard (1...2_200).contains(year), day.number < 90_000 else {
            return ("found \(text.quoted), expected a year that pictures are from", true)
        }
        return nil
    }
}
