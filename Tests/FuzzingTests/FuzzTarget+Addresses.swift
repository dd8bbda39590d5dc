import Downloads
import HTTPTransport
import ProviderModel

@testable import Packs
@testable import ProviderRuntime

/// URLs, and what is matched with them.
extension FuzzTarget {
    /// A URL, a reference to resolve, and the name and the value of a query pair, each in its line.
    static func readURL(_ bytes: [UInt8]) throws(BrokenPromise) {
        let lines = bytes.lines(atMost: 4)
        _ = HostPattern(lines[0])
        _ = NetworkAddress(literal: lines[0])
        guard let url = try? WebURL(lines[0]) else { return }
        try check(url)
        try require(HostPattern(url.host)?.description == url.host, "a host is a pattern for itself")
        if url.scheme == .https, url.port == 443 {
            try require(HostPattern(url.host)?.matches(url) == true, "the pattern of a host matches its URLs")
        }
        guard lines.count > 1 else { return }
        if let resolved = try? url.resolving(lines[1]) {
            try check(resolved)
            // A second slash of either kind begins a host, and line ends among them are dropped.
            let isPath = lines[1].hasPrefix("/") && !"/\\\t\r".utf8.contains(lines[1].utf8.dropFirst().first ?? 0)
            try require(!isPath || resolved.isSameOrigin(as: url), "a path leads to the same origin")
        }
        guard lines.count > 2, let longer = try? url.appending(query: [(lines[2], lines.last ?? "")]) else { return }
        try check(longer)
        try require(longer.isSameOrigin(as: url), "a query changes nothing of the origin")
        let pair = longer.queryItems.last
        try require(pair?.name == lines[2] && pair?.value == lines.last, "a query pair is read as it was written")
    }

    private static func check(_ url: WebURL) throws(BrokenPromise) {
        try require((try? WebURL(url.description)) == url, "a URL that is printed parses to the same")
        try require(url.description.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a URL is visible ASCII")
        try require(!url.host.isEmpty && url.host == url.host.lowercased(), "a host is in lower case")
        try require(url.origin + url.target == url.withoutFragment, "origin and target make the URL")
        try require(url.withoutFragment.hasPrefix(url.withoutQuery), "the query is the end of the URL")
        try require(url.target.hasPrefix(url.path), "a target begins with its path")
        _ = (url.authority, url.query, url.queryItems, url.lastPathPart, url.isLoopback)
    }

    static func readTemplate(_ bytes: [UInt8]) throws(BrokenPromise) {
        let text = bytes.text
        let template = Template(text)
        try require(template.filled { "{\($0)}" } == text, "a template filled with its own names is its text")
        _ = try? ItemExpression(text)
        guard let names = try? NameTemplate(text), let provider = ProviderID("fuzzed") else { return }
        var item = Item(provider: provider, id: "../é/\u{0}", type: .image)
        item.title = text
        let subject = ItemSubject(item: item, media: nil, provider: item.provider, index: 1)
        let name = names.name(of: subject)
        for part in name.folders + [name.stem] {
            try require(!part.isEmpty && !part.contains("/") && part != ".." && part != ".", "a file's name is safe")
            try require(part.utf8.count <= 255, "a file's name fits into a folder")
        }
    }

    /// A pattern and a text, each in its line.
    static func matchPage(_ bytes: [UInt8]) throws(BrokenPromise) {
        let lines = bytes.lines(atMost: 2)
        guard lines.count == 2 else { return }
        _ = PagePattern(lines[0]).names(in: PagePattern.Subject(lines[1]))
        guard let names = TextPattern(lines[0]).names(in: lines[1]) else { return }
        let template = Template(lines[0])
        try require(Set(names.keys) == Set(template.placeholders), "a match gives each name a value")
        try require(!names.values.contains { $0.isEmpty || $0.contains("/") }, "a name stands for part of a segment")
        guard !lines[0].contains("*"), Set(template.placeholders).count == template.placeholders.count else { return }
        try require(template.filled { names[$0] } == lines[1], "a pattern filled with what it found is the text")
    }

    /// A pattern of files and a path, each in its line.
    static func matchFile(_ bytes: [UInt8]) throws(BrokenPromise) {
        let lines = bytes.lines(atMost: 2)
        guard lines.count == 2, let pattern = FilePattern(line: lines[0][...]) else { return }
        let path = lines[1].split(separator: "/").map(Array.init)
        guard !path.isEmpty, lines[1].count < 256 else { return }
        _ = pattern.matches(file: path)
    }
}
