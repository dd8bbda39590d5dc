import Foundation
import HTTPTypes
import Testing

/// Real answers of the services, which lie outside the repository; `IMGSCRIPT_SAMPLES` names their folder.
enum RecordedSamples {
    static let folder = ProcessInfo.processInfo.environment["IMGSCRIPT_SAMPLES"]

    /// Where providers are named otherwise than the folders of their samples.
    private static let folders = [
        "artic": "art-institute-chicago", "vam": "victoria-albert", "picsum": "lorem-picsum", "nasa": "nasa-images",
        "commons": "wikimedia-commons", "archive": "internet-archive", "konachan": "moebooru",
        "derpibooru": "philomena", "rss": "inaturalist",
    ]

    /// A recorded answer for the requests whose URL contains `part`.
    static func answer(_ provider: String, _ file: String, to part: String = "") throws -> ScriptedTransport.Answer {
        let folder = URL(filePath: try #require(folder)).appending(path: folders[provider] ?? provider)
        var answer = ScriptedTransport.Answer(part: part)
        answer.body = Array(try Data(contentsOf: folder.appending(path: file)))
        let head = folder.appending(path: file.prefix { $0 != "." } + ".http.json")
        guard let data = try? Data(contentsOf: head) else { return answer }  // most samples have no head
        let stored = try JSONDecoder().decode(Head.self, from: data).response
        answer.status = stored.status
        answer.headers = HTTPFields(stored.headers.map { HTTPField(name: HTTPField.Name($0.key)!, value: $0.value) })
        return answer
    }

    private struct Head: Decodable {
        struct Response: Decodable {
            var status: Int
            var headers: [String: String]
        }

        var response: Response
    }
}
