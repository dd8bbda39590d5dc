import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Items say what the responses say that they were read from.
struct ResponseFactsCheck: ConformanceCheck {
    let name = "items agree with their responses"
    let reason = "A swapped size, a shifted time or a lost licence looks right, and is not."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let calls = subject.recorded.filter { !$0.result.items.isEmpty }
        guard !calls.isEmpty else { return .skipped("no recorded items") }
        var findings = CheckFindings()
        for known in calls {
            let facts = ResponseFacts(known.answers)
            checkSizes(known, facts, on: subject, &findings)
            checkTimes(known, facts, on: subject, &findings)
            checkLicenses(known, facts, on: subject, &findings)
            checkTexts(known, on: subject, &findings)
        }
        return findings
    }

    // MARK: Sizes

    /// A size is one that the response gives, and not the other way round; nor is it that of the recorded file.
    private func checkSizes(
        _ known: ConformanceSubject.Recorded, _ facts: ResponseFacts, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        for (index, item) in known.result.items.enumerated() {
            // Smaller versions have sizes that scripts work out.
            let largest = item.media.map { ($0.width ?? 0) * ($0.height ?? 0) }.max() ?? 0
            for (place, media) in item.media.enumerated()
            where (media.width ?? 0) * (media.height ?? 0) == largest {
                guard let width = media.width, let height = media.height, width != height else { continue }
                let size = ResponseFacts.Size(width: width, height: height)
                let isSwapped = facts.sizes.contains(size.swapped) && !facts.sizes.contains(size)
                let file = subject.library.file(at: media.url).flatMap(PictureSize.init)
                let isOther = file.map { $0.width == height && $0.height == width } ?? false
                guard isSwapped || isOther else { continue }
                let source = isOther ? "the recorded file is" : "the response has"
                findings.fail(
                    "\(known.call): found width \(width) and height \(height), \(source) \(height) × \(width)",
                    hint: "swap them: width: \(height), height: \(width)",
                    location: subject.location(of: known.call.operation), path: "items[\(index)].media[\(place)]")
            }
            checkShapes(of: item, at: index, known.call, on: subject, &findings)
        }
    }

    /// One picture is not wide in one size and tall in the other.
    private func checkShapes(
        of item: Item, at index: Int, _ call: ProviderCall, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        // Small versions are often crops.
        let isWhole = { (media: Media) in media.kind == .image && media.role != .thumbnail && media.role != .small }
        let sizes = (item.files.first ?? []).filter(isWhole).compactMap { media -> (Double, String)? in
            guard let width = media.width, let height = media.height, height > 0 else { return nil }
            return (Double(width) / Double(height), "\(width) × \(height)")
        }
        guard let first = sizes.first,
            let other = sizes.first(where: { abs($0.0 * first.0 - 1) < 0.05 && abs($0.0 / first.0 - 1) > 0.2 })
        else { return }
        findings.warn(
            "\(call): found \(first.1) and \(other.1) for one picture", hint: "check which number is the width",
            location: subject.location(of: call.operation), path: "items[\(index)].media")
    }

    // MARK: Times

    /// Times are those of the response: not all of them later or earlier by the same hours.
    private func checkTimes(
        _ known: ConformanceSubject.Recorded, _ facts: ResponseFacts, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        let created = known.result.items.compactMap(\.created).compactMap(ResponseFacts.instant(of:))
        guard !facts.instants.isEmpty, !created.isEmpty, !created.contains(where: facts.instants.contains) else {
            return
        }
        let shifts = (-56...56).filter { $0 != 0 }.map { $0 * 900 }
        guard let shift = shifts.first(where: { shift in created.allSatisfy { facts.instants.contains($0 - shift) } })
        else { return }
        let hours = (Double(abs(shift)) / 3_600).shortest
        findings.fail(
            "\(known.call): found times \(hours) hours \(shift > 0 ? "after" : "before") those of the response",
            hint: "give the date to parseDate as it stands, with its zone",
            location: subject.location(of: known.call.operation), path: "items[].created")
    }

    // MARK: Licences

    /// A response that names licences has items with licences.
    private func checkLicenses(
        _ known: ConformanceSubject.Recorded, _ facts: ResponseFacts, on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        let items = known.result.items.filter { $0.type != .collection }
        guard !items.isEmpty, items.allSatisfy({ $0.license == nil }), subject.manifest.terms.license == nil else {
            return
        }
        guard let license = facts.licenses.first else { return }
        findings.warn(
            "\(known.call): the response has \(license), and no item has a license",
            hint: "license: license(…), from require('imgscript'); if it is that of all images, terms: { license: … }",
            location: subject.location(of: known.call.operation), path: "items[].license")
    }

    // MARK: Texts and URLs

    /// Texts are text, and URLs hold no key.
    private func checkTexts(
        _ known: ConformanceSubject.Recorded, on subject: ConformanceSubject, _ findings: inout CheckFindings
    ) {
        let location = subject.location(of: known.call.operation)
        let keys = Set(subject.manifest.authentication.flatMap(\.queryNames)).union(["api_key", "apikey"])
        for (index, item) in known.result.items.enumerated() {
            let texts = [("title", item.title), ("description", item.description), ("author.name", item.author?.name)]
            let tags = item.tags.enumerated().map { ("tags[\($0.offset)]", Optional($0.element)) }
            for (field, text) in texts + tags {
                guard let found = text?.firstMatch(of: /&(?:#\d{1,6}|#x[0-9A-Fa-f]{1,6}|[a-zA-Z]{2,8});/)?.output else {
                    continue
                }
                findings.warn(
                    "\(known.call): found \(String(found).quoted) in \((text ?? "").quoted), expected the character",
                    hint: "decodeEntities(…), or plainText(…) for HTML, from require('imgscript')", location: location,
                    path: "items[\(index)].\(field)")
            }
            let urls = item.media.enumerated().map { ("media[\($0.offset)].url", $0.element.url) }
            for (field, url) in urls + [("page", item.page)].compactMap({ name, url in url.map { (name, $0) } }) {
                guard let pair = url.queryItems.first(where: { keys.contains($0.name) && !$0.value.isEmpty }) else {
                    continue
                }
                findings.fail(
                    "\(known.call): found a key in a URL: ?\(pair.name)=, expected none",
                    hint: "leave the pair out: the URL is shown, logged and shared", location: location,
                    path: "items[\(index)].\(field)")
            }
        }
    }
}

extension CassetteLibrary {
    /// The recorded bytes of a file; nil where there are none.
    fileprivate func file(at url: WebURL) -> [UInt8]? {
        cassettes.lazy.flatMap(\.entries).first { $0.url == url && $0.status == 200 && !$0.content.isEmpty }?.content
    }
}

/// The size of a picture, from the first bytes of its file.
struct PictureSize: Hashable, Sendable {
    let width: Int
    let height: Int

    /// Reads PNG, GIF, JPEG and WebP; nil for other files.
    init?(_ bytes: [UInt8]) {
        func number(_ places: Int...) -> Int { places.reduce(0) { $0 << 8 | Int(bytes[$1]) } }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]), bytes.count > 24 {
            (width, height) = (number(16, 17, 18, 19), number(20, 21, 22, 23))
        } else if bytes.starts(with: "GIF8".utf8), bytes.count > 10 {
            (width, height) = (number(7, 6), number(9, 8))
        } else if bytes.starts(with: [0xff, 0xd8]), let frame = Self.frame(in: bytes) {
            (width, height) = (number(frame + 7, frame + 8), number(frame + 5, frame + 6))
        } else if bytes.starts(with: "RIFF".utf8), bytes.count > 30, bytes[8..<16].elementsEqual("WEBPVP8X".utf8) {
            (width, height) = (number(26, 25, 24) + 1, number(29, 28, 27) + 1)
        } else {
            return nil
        }
    }

    /// The place of the marker of a JPEG's frame (ITU-T T.81 B.1.1.3).
    private static func frame(in bytes: [UInt8]) -> Int? {
        var place = 2
        while place + 9 < bytes.count, bytes[place] == 0xff {
            let marker = bytes[place + 1]
            if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) { return place }
            place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
        }
        return nil
    }
}
