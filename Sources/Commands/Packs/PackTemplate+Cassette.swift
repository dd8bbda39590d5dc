import ProviderModel

extension PackTemplate {
    /// Invented answers in the shape that the script reads: two pages, an empty one, and a refusal.
    var cassette: String {
        let pages = [photos(1...2), photos(3...3)]
        let entries = pages.enumerated().map { index, photos in
            entry(
                query: "q=fox&page=\(index + 1)&per_page=2",
                json: "{ \"total\": 3, \"photos\": [\n\(photos)\n        ] }")
        }
        let empty = entry(query: "q=nothing&page=1&per_page=2", json: #"{ "total": 0, "photos": [] }"#)
        return """
            {
              "cassette": 1,
              "provider": "\(provider)",
              "note": "Invented content; imgscript test --record makes cassettes of real answers.",
              "entries": [
            \((entries + [empty]).joined(separator: ",\n"))
              ]
            }

            """
    }

    private func photos(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { number in
            """
                      {
                        "id": "\(number)",
                        "title": "Fox \(number)",
                        "page": "https://\(provider).example/photos/\(number)",
                        "by": "Odalys Fernwick",
                        "rights": "CC0",
                        "file": "https://images.\(provider).example/\(number).jpg",
                        "width": \(1_200 + number),
                        "height": 800,
                        "likes": \(number * 7)
                      }
            """
        }.joined(separator: ",\n")
    }

    private func entry(query: String, json: String) -> String {
        """
            {
              "request": { "method": "GET", "url": "https://api.\(provider).example/search?\(query)" },
              "response": {
                "status": 200,
                "headers": { "content-type": "application/json" },
                "json": \(json)
              }
            }
        """
    }
}
