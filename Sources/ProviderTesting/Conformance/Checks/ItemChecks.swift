import ProviderModel
import ProviderRuntime

/// Every file lies on one of the declared media hosts.
struct MediaHostsCheck: ConformanceCheck {
    let name = "every file is on a media host"
    let reason = "Files are only fetched from mediaHosts; a file on another host can never be downloaded."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let items = subject.recordedItems
        let downloads = subject.recorded.compactMap { known in known.result.media.map { (known.call, $0) } }
        guard !items.isEmpty || !downloads.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        var count = 0
        for (call, index, item) in items {
            for (place, file) in item.media.enumerated() {
                count += 1
                check(file, of: call, path: "items[\(index)].media[\(place)].url", on: subject, &findings)
            }
            if item.media.isEmpty, item.type != .collection {
                findings.warn(
                    "\(call): found an image without media (\(item.id.quoted)), expected at least one file",
                    hint: "leave out items without a file", location: subject.location(of: call.operation),
                    path: "items[\(index)].media")
            }
        }
        for (call, file) in downloads { check(file, of: call, path: "url", on: subject, &findings) }
        findings.note = "\(count) files"
        return findings
    }

    private func check(
        _ file: Media, of call: ProviderCall, path: String, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        let hosts = subject.manifest.mediaHosts
        guard !hosts.contains(where: { $0.matches(file.url, instance: subject.instance) }) else { return }
        let isKnown = findings.failures.contains { $0.message.contains(" \(file.url.origin),") }
        guard !isKnown else { return }
        findings.fail(
            "\(call): found a file on \(file.url.origin), expected one of mediaHosts "
                + "(\(hosts.map(\.description).joined(separator: ", ")))",
            hint: file.url.scheme == .http
                ? "use https if the source has it, else list \"http://\(file.url.authority)\""
                : "list \"\(file.url.authority)\" in mediaHosts", location: subject.location(of: call.operation),
            path: path)
    }
}

// MARK: - Ids

/// Ids identify items and stay the same from one operation to the next.
struct IdentityCheck: ConformanceCheck {
    let name = "ids are unique and stable"
    let reason = "Archives, details and links identify items by id."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.recordedItems.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        for walk in subject.walks {
            for (number, page) in walk.pages.enumerated() {
                checkUnique(page, number, of: walk.call, on: subject, &findings)
            }
        }
        for known in subject.recorded {
            if case .details(let asked) = known.call.action, let found = known.result.items.first {
                checkSame(asked, found, on: subject, &findings)
            }
        }
        checkTwins(on: subject, &findings)
        findings.note = subject.recordedItems.count.counted("item")
        return findings
    }

    private func checkUnique(
        _ page: Page, _ number: Int, of call: ProviderCall, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        var places: [String: Int] = [:]
        for (index, item) in page.items.enumerated() {
            let path = "items[\(index)].id"
            let place = subject.location(of: call.operation)
            if let first = places[item.id] {
                findings.fail(
                    "\(call), page \(number + 1): found the id \(item.id.quoted) at items[\(first)] already, expected another",
                    hint: "give each an id of its own, or all files of one item in its media, with file: 1, 2 …",
                    location: place, path: path)
            }
            places[item.id] = index
            let hasEdges = item.id.first?.isWhitespace == true || item.id.last?.isWhitespace == true
            if hasEdges || item.id.contains(where: \.isNewline) {
                findings.fail(
                    "\(call): found the id \(item.id.quoted), expected no white space around it", hint: "trim it",
                    location: place, path: path)
            }
        }
    }

    /// The item that details give is the one they were asked for, by an id that a listing gives.
    private func checkSame(
        _ asked: Item, _ found: Item, on subject: ConformanceSubject, _ findings: inout CheckFindings
    ) {
        let isListed = subject.walks.contains { $0.pages.contains { $0.items.contains { $0.id == asked.id } } }
        guard isListed, asked.id != found.id else { return }
        findings.fail(
            "details of \(asked.id.quoted): found the id \(found.id.quoted), expected the same",
            hint: "build ids the same way in listings and details", location: subject.location(of: .details),
            path: "id")
    }

    /// Checks that items with one page URL and one file are one item, in whatever listing.
    private func checkTwins(on subject: ConformanceSubject, _ findings: inout CheckFindings) {
        var ids: [String: (id: String, call: ProviderCall)] = [:]
        for (call, _, item) in subject.recordedItems {
            guard let page = item.page, let file = item.media.first?.url, item.type != .collection else { continue }
            let key = "\(page) \(file)"
            if let twin = ids[key], twin.id != item.id, twin.call.operation != call.operation {
                findings.warn(
                    "found one file at one page under two ids: \(twin.id.quoted) in \(twin.call), \(item.id.quoted) in \(call)",
                    hint: "build ids the same way everywhere", location: subject.location(of: call.operation))
            }
            ids[key] = (item.id, call)
        }
    }
}

// MARK: - Sizes

/// Widths, heights and lengths are such as files have.
struct SizesCheck: ConformanceCheck {
    let name = "sizes are plausible"
    let reason = "Filters, layouts and the choice of a file depend on them; a wrong size is worse than none."

    /// The maximum plausible side of an image in pixels.
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
                        "\(call): \(message)", hint: "leave out what the source does not give",
                        location: subject.location(of: call.operation), path: path)
                }
                if (file.width == nil) != (file.height == nil) {
                    findings.warn(
                        "\(call): found only one of width and height", hint: "give both or none",
                        location: subject.location(of: call.operation), path: path)
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
        guard let sizes = item.files.first,
            let original = sizes.first(where: { $0.role == .original && $0.kind == .image }),
            let thumbnail = sizes.first(where: { $0.role == .thumbnail && $0.kind == .image }),
            let large = original.width, let small = thumbnail.width, small > large, small > 400
        else { return }
        findings.warn(
            "\(call): found a thumbnail \(small) pixels wide beside an original of \(large)",
            hint: "check which size belongs to which role", location: subject.location(of: call.operation),
            path: "items[\(index)].media")
    }
}

// MARK: - Kinds

/// Films and animations say of which file they are.
struct MediaKindsCheck: ConformanceCheck {
    let name = "files are of the kind the item says"
    let reason =
        "Videos are only listed and downloaded on request; an archive needs its frames to be shown."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let items = subject.recordedItems
        guard !items.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        for (call, index, item) in items {
            check(item, at: index, call, on: subject, &findings)
        }
        let several = items.count(where: { $0.item.files.count > 1 })
        findings.note = several == 0 ? nil : "\(several) of \(items.count) items have several files"
        return findings
    }

    private func check(
        _ item: Item, at index: Int, _ call: ProviderCall, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        let location = subject.location(of: call.operation)
        if item.type == .video, !item.media.isEmpty, !item.media.contains(where: { $0.kind == .video }) {
            findings.fail(
                "\(call): found type 'video' without a video among its files (expected one)",
                hint: "say type: 'video' in the file's entry", location: location, path: "items[\(index)].media")
        }
        for (place, media) in item.media.enumerated() {
            let isArchive = media.format.flatMap { MediaFormat(named: $0) } == .zip || media.url.fileEnding == "zip"
            guard isArchive, media.frames.isEmpty else { continue }
            findings.warn(
                "\(call): found an archive without its frames",
                hint: "give frames: [{ file: '0.jpg', delay: 100 }, …] where the source says them", location: location,
                path: "items[\(index)].media[\(place)]")
        }
    }
}

// MARK: - Dates

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
        for line in subject.recordedLines {
            guard let found = line.firstMatch(of: /parseDate: "(\d{1,2}[\/.\-]\d{1,2}[\/.\-]\d{2,4})/) else { continue }
            findings.warn(
                "found \(String(found.1).quoted), whose day and month cannot be told apart",
                hint: "read its parts in the order that the source's documentation gives",
                location: subject.location(of: .search))
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
            return ("found \(text.quoted), the result of a missing date", true)
        }
        let year = Int(text.prefix(4)) ?? 0
        guard (1...2_200).contains(year), day.number < 90_000 else {
            return ("found \(text.quoted), expected a plausible year", true)
        }
        return nil
    }
}

// MARK: - Missing values

/// No field holds what JavaScript makes of nothing.
struct MissingValueCheck: ConformanceCheck {
    let name = "no field says undefined"
    let reason =
        "\"undefined\", \"NaN\" and \"[object Object]\" are the result of a missing value in a text."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let items = subject.recordedItems
        guard !items.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        for (call, index, item) in items {
            for found in MissingValueText.found(in: item) {
                findings.fail(
                    "\(call): found \(found.text.quoted), expected no \"\(found.word)\"",
                    hint: "leave the field out if the source does not give it",
                    location: subject.location(of: call.operation), path: "items[\(index)]\(found.path)")
            }
        }
        return findings
    }
}

/// Words that a script's mistakes leave in texts.
enum MissingValueText {
    /// A text with such a word, and where it stands in an item.
    struct Finding: Hashable, Sendable {
        var path: String
        var text: String
        var word: String
    }

    private static let words = ["undefined", "NaN", "null", "[object Object]", "Invalid Date"]

    /// Texts of an item with such a word; what a source says beyond the contract is its own.
    static func found(in item: Item) -> [Finding] {
        guard let json = JSONValue.found(in: item.contractJSON.description.utf8) else { return [] }
        var findings: [Finding] = []
        for member in json.members ?? [] where member.name != "extra" {
            collect(member.value, at: member.name.asPathStep, into: &findings)
        }
        return findings
    }

    /// The word in a text, where it stands alone.
    static func word(in text: String) -> String? {
        words.first { word in
            guard let range = text.firstRange(of: word) else { return false }
            let isAlone = { (character: Character?) in character.map { !$0.isLetter && !$0.isNumber } ?? true }
            let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
            let after = text[range.upperBound...].first
            // "null" between spaces is an ordinary word.
            if word == "null", text != word, before?.isWhitespace ?? true, after?.isWhitespace ?? true { return false }
            return isAlone(before) && isAlone(after)
        }
    }

    private static func collect(_ json: JSONValue, at path: String, into findings: inout [Finding]) {
        switch json {
        case .text(let text):
            if let word = word(in: text) { findings.append(Finding(path: path, text: text, word: word)) }
        case .array(let values):
            for (index, value) in values.enumerated() { collect(value, at: "\(path)[\(index)]", into: &findings) }
        case .object(let members):
            for member in members { collect(member.value, at: path + member.name.asPathStep, into: &findings) }
        default: break
        }
    }
}
