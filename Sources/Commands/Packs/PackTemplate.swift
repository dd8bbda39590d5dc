import Packs
import ProviderModel

/// The template of a pack: a provider with recorded answers, its test, and what belongs beside them.
struct PackTemplate {
    let name: PackName
    let provider: ProviderID
    let publicKey: PublicKey?

    /// The files, by their paths in the pack.
    var files: [(path: String, text: String)] {
        [
            ("package.json", package), ("providers/\(provider).js", script), ("providers/\(provider).test.js", test),
            ("providers/cassettes/\(provider)/search.json", cassette), ("README.md", readme),
            ("CHANGELOG.md", "# Changes\n\n## 0.1.0\n\n- The first version.\n"),
            (".github/workflows/pack.yml", PackWorkflow(name: name).text),
        ]
    }

    private var package: String {
        let key = publicKey.map { ",\n    \"publicKey\": \"\($0)\"" } ?? ""
        return """
            {
              "name": "\(name)",
              "version": "0.1.0",
              "description": "Images from \(provider), for imgscript.",
              "license": "MIT",
              "keywords": ["imgscript"],
              "files": ["providers", "CHANGELOG.md"],
              "imgscript": {
                "contract": \(ProviderManifest.contract),
                "providers": ["providers/\(provider).js"]\(key)
              }
            }

            """
    }

    private var script: String {
        """
        const { license } = require('imgscript');

        /** @type {import('imgscript').Provider} */
        module.exports = {
          contract: \(ProviderManifest.contract),
          id: '\(provider)',
          name: '\(provider)',
          version: '0.1.0',
          homepage: 'https://\(provider).example/',
          hosts: ['api.\(provider).example'],
          mediaHosts: ['images.\(provider).example'],
          limits: { pageSize: { max: 100, default: 2 } },
          terms: { url: 'https://\(provider).example/terms' },
          paging: 'page',

          search: {
            request: (q) => ({
              url: 'https://api.\(provider).example/search',
              query: { q: q.text, page: q.page, per_page: q.limit },
            }),
            parse: (res) => ({ total: res.json.total, items: res.json.photos.map(image) }),
          },
        };

        /** @param {any} photo @returns {import('imgscript').Item} */
        function image({ id, title, page, by, rights, file, width, height, ...extra }) {
          return {
            id,
            type: 'image',
            title,
            page,
            author: by ? { name: by } : undefined,
            license: license(rights),
            media: [{ role: 'original', url: file, width, height }],
            extra,
          };
        }

        """
    }

    private var test: String {
        """
        const { test, expect, run } = require('imgscript/test');

        test('a photograph has its author and its licence', () => {
          const [photo] = run.search('fox').items;
          expect(photo).toMatchObject({ id: '1', author: { name: 'Odalys Fernwick' }, license: { id: 'cc0-1.0' } });
        });

        """
    }

    private var readme: String {
        """
        # \(name)

        A provider for [imgscript](https://www.npmjs.com/search?q=keywords:imgscript).

        ```sh
        imgscript pack install \(name)
        imgscript search -p \(provider) fox
        ```

        """
    }
}

extension PackTemplate {
    /// Invented answers in the form that the script reads: two pages and an empty one.
    fileprivate var cassette: String {
        let pages = [photos(1...2), photos(3...3)]
        let entries = pages.enumerated().map { index, photos in
            entry(
                // The second page belongs to the call that the first one answers.
                call: index == 0 ? "fox" : nil, query: "q=fox&page=\(index + 1)&per_page=2",
                json: "{ \"total\": 3, \"photos\": [\n\(photos)\n        ] }")
        }
        let empty = entry(
            call: "nothing", query: "q=nothing&page=1&per_page=2", json: #"{ "total": 0, "photos": [] }"#)
        return """
            {
              "cassette": 1,
              "provider": "\(provider)",
              "note": "Invented content; imgscript test --record records real responses.",
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

    private func entry(call text: String?, query: String, json: String) -> String {
        let call =
            text.map { "\n      \"call\": { \"operation\": \"search\", \"query\": { \"text\": \"\($0)\" } }," } ?? ""
        return """
                {\(call)
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
