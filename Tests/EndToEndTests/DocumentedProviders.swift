import Foundation
import TestSupport

/// The providers that documents show, as files beside invented answers of their sources.
struct DocumentedProviders {
    let folder = TemporaryFolder()

    /// Writes the files.
    init() throws {
        for (name, text) in try Documentation.providerFiles() { try write(text, to: name) }
        for (name, entries) in Self.answers.merging(Self.guideAnswers, uniquingKeysWith: { first, _ in first }) {
            let list = entries.map { address, body in
                let method = address.hasPrefix("POST ") ? "POST" : "GET"
                let url = address.replacing("POST ", with: "")
                let call = Self.calls[address].map { #""call": \#($0), "# } ?? ""
                return
                    #"{\#(call)"request": {"method": "\#(method)", "url": "\#(url)"}, "response": {"status": 200, \#(body)}}"#
            }
            let cassette = #"{"cassette": 1, "entries": [\#(list.joined(separator: ","))]}"#
            try write(cassette, to: "cassettes/\(name)/answers.json")
        }
    }

    /// The calls that recorded requests answer, where a document shows that they are found.
    private static let calls = [
        "https://dog.ceo/api/breed/hound/images": #"{"operation": "search", "query": {"text": "hound"}}"#
    ]

    /// The files that are providers, not what providers share.
    static func names() throws -> [String] {
        try Documentation.providerFiles().keys.filter { !$0.hasSuffix("-theme.js") }.sorted()
    }

    private func write(_ text: String, to name: String) throws {
        let url = URL(filePath: "\(folder.path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: false, encoding: .utf8)
    }
}
