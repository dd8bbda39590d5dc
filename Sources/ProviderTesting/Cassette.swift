import FoundationEssentials
import HTTPTypes
import ProviderModel

/// Recorded requests with their answers, as they stand in a file beside a provider.
package struct Cassette: Sendable {
    /// One request and its answer.
    package struct Entry: Sendable {
        /// The request's method.
        package var method: String
        /// Where it went, without credentials.
        package var url: WebURL
        /// What was sent, if anything.
        package var body: [UInt8]
        /// The answer's status.
        package var status: Int
        /// The answer's header lines.
        package var headers: HTTPFields
        /// The answer's content.
        package var content: [UInt8]
    }

    /// The file's name without its ending: `search`.
    package var name: String
    /// In the file's order.
    package var entries: [Entry]

    /// Reads a cassette from its file.
    package init(contentsOf path: String) throws(CassetteError) {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw CassetteError(path: path, reason: "cannot be read")
        }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        do {
            let stored = try JSONDecoder().decode(StoredCassette.self, from: data)
            guard stored.cassette == 1 else {
                throw CassetteError(path: path, reason: "has format \(stored.cassette), expected 1")
            }
            entries = try stored.entries.enumerated().map { index, entry in
                guard let entry = Entry(entry) else {
                    throw CassetteError(path: path, reason: "entries[\(index)] has no valid URL or body")
                }
                return entry
            }
        } catch let error as CassetteError {
            throw error
        } catch let error as DecodingError {
            throw CassetteError(path: path, reason: error.place)
        } catch {
            throw CassetteError(path: path, reason: "\(error)")
        }
    }
}

/// Why a file is no cassette.
package struct CassetteError: Error, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What is wrong with it.
    package let reason: String

    package var description: String { "\(path) \(reason)" }
}

extension Cassette.Entry {
    fileprivate init?(_ stored: StoredCassette.Entry) {
        guard let url = try? WebURL(stored.request.url),  // told as the entry's place
            let content = stored.response.content.bytes
        else { return nil }
        method = stored.request.method ?? "GET"
        self.url = url
        body = stored.request.content.bytes ?? []
        status = stored.response.status ?? 200
        self.content = content
        headers = HTTPFields(
            (stored.response.headers ?? [:]).sorted { $0.key < $1.key }.compactMap { name, value in
                HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
            })
    }
}

extension DecodingError {
    /// The JSON path and what is wrong there.
    fileprivate var place: String {
        let context: Context
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found), .dataCorrupted(let found):
            context = found
        @unknown default: return "\(self)"
        }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return "\(path.drop { $0 == "." }): \(context.debugDescription)"
    }
}
