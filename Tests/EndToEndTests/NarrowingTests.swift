import Foundation
import TestSupport
import Testing

/// Conditions on images, as options of searches, lists and downloads.
struct NarrowingTests {
    /// A source of four images, whose parameters take a date and a width.
    private static func source() throws -> LoopbackSource {
        let page = """
            {"items": [
              {"id": "1", "title": "A cat", "tags": ["cat"], "created": "2026-05-01", "license": "cc0-1.0", "w": 4000, "h": 3000},
              {"id": "2", "title": "A dog", "tags": ["dog", "nsfw"], "created": "2026-05-02", "license": "cc-by-4.0",
               "w": 1920, "h": 1080, "ai": true},
              {"id": "3", "title": "A Cat again", "tags": ["cat"], "created": "2020-01-01", "license": "cc-by-4.0",
               "w": 1000, "h": 2000, "format": "png"},
              {"id": "4", "title": "Nothing known"}
            ]}
            """
        let source = try LoopbackSource { _ in .answer(text: page) }
        try source.add(
            "loop",
            """
            const list = {
              params: {
                from: { type: 'string', filter: 'since' }, width: { type: 'integer', max: 3000, filter: 'min-width' },
              },
              request: (q) => ({ url: 'http://127.0.0.1:\(source.server.port)/', query: q.params }),
              parse: (res) => ({ next: null, items: res.json.items.map((item) => ({
                id: item.id, type: 'image', title: item.title, tags: item.tags, created: item.created,
                license: item.license && { id: item.license }, aiGenerated: item.ai,
                media: [{
                  role: 'original', url: `https://images.example/${item.id}.${item.format ?? 'jpg'}`, width: item.w, height: item.h,
                }],
              })) }),
            };
            module.exports = {
              contract: 1, id: 'loop', name: 'Loop', version: '1.0.0', hosts: ['http://127.0.0.1'],
              mediaHosts: ['images.example'], search: list, feed: list,
            };
            """)
        return source
    }

    @Test(arguments: [
        (["--exclude-tag", "nsfw"], "1 3 4"), (["--exclude-tag", "CAT", "--exclude-tag", "nsfw"], "4"),
        (["--no-ai"], "1 3 4"), (["--since", "2026-05-02"], "2"), (["--until", "2026-05-01"], "1 3"),
        (["--since", "2026", "--until", "2026-05-01"], "1"),
        (["--aspect", "landscape"], "1 2"), (["--aspect", "16:9"], "2"), (["--min-pixels", "2M"], "1 2 3"),
        (["--min-pixels", "2100k"], "1"), (["--media-format", "png,webp"], "3"), (["--media-format", "JPG"], "1 2 4"),
        (["--filter", #"width >= 1500 and license != "cc0""#], "2"), (["--filter", "title contains cat"], "1 3"),
        (["--filter", "not license", "--exclude-tag", "x"], "4"),
    ])
    func onlyWhatMeetsTheConditionsIsPrinted(_ options: [String], _ ids: String) throws {
        let source = try Self.source()
        for command in [["search", "x"], ["feed"]] {
            let run = try CommandRun(
                command + ["-p", "loop", "--no-cache", "-f", "{id} "] + options + source.arguments)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ") == ids, "\(run.errors)")
            #expect(run.errors.contains("filtered out"), "\(run.errors)")
        }
        let plan = try CommandRun(
            ["download", "-p", "loop", "x", "--dry-run", "--name", "{id}"] + options + source.arguments)
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.output.split(separator: "\n").count == ids.split(separator: " ").count, "\(plan.output)")
    }

    /// A board lists by the time of upload, unless it is asked for another order.
    @Test(arguments: [([], ["1", "2", "3"]), (["--param", "order=score"], (1...5).map { "\($0)" })])
    func boardIsReadToTheFirstPageThatIsOlder(_ options: [String], _ pages: [String]) throws {
        let server = try LoopbackServer { request in
            func number(_ name: String) -> Int {
                request.target.split(separator: "\(name)=").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 1
            }
            let (page, size) = (number("page"), number("limit"))
            let posts = ((page - 1) * size..<min(page * size, 100)).map { place in
                let file = "http://\(request.header("Host") ?? "")/image/\(place).jpg"
                return """
                    <post id="\(place)" tags="fox" created_at="\(2026 - place / 30)-05-01" rating="s" \
                    width="9" height="9" file_url="\(file)" preview_url="\(file)"/>
                    """
            }
            return .answer(
                headers: [("Content-Type", "application/xml")],
                text: #"<posts count="100" offset="0">\#(posts.joined())</posts>"#)
        }
        let run = try CommandRun(
            [
                "search", "fox", "-p", "moebooru", "--instance", server.origin, "--allow-host",
                "127.0.0.1:\(server.port)", "--since", "2026", "-n", "100", "--page-size", "20", "--pages-in-flight",
                "1", "--no-cache", "-f", "{id}",
            ] + options)
        #expect(run.output == (0..<30).map { "\($0)\n" }.joined(), "\(run.errors)")
        let asked = server.requests.map { $0.target.split(separator: "page=").last.map { $0.prefix { $0.isNumber } } }
        #expect(asked == pages.map { Substring($0) }, "\(server.requests.map(\.target))")
    }

    @Test func conditionThatTheSourceChecksIsSentAndSaid() throws {
        let source = try Self.source()
        let options = ["--since", "2026-05-02", "--min-width", "1000", "--exclude-tag", "x"]
        let run = try CommandRun(["search", "x", "-p", "loop", "--no-cache"] + options + source.arguments)
        let query = source.server.requests.first?.target ?? ""
        #expect(query.contains("from=2026-05-02T00") && query.contains("width=1000"), "\(query)")
        #expect(
            run.errors.contains("--since and --min-width sent to loop; --exclude-tag checked here only"),
            "\(run.errors)")
        let own = try CommandRun(
            ["search", "x", "-p", "loop", "--no-cache", "--min-width", "3500"] + source.arguments)
        #expect(!own.errors.contains("sent to loop"), "\(own.errors)")
    }

    @Test(arguments: [
        (["--since", "yesterday"], #"--since: invalid value "yesterday" (expected a date such as 2026-05-01"#),
        (["--until", "2026-02-30"], #"--until: invalid value "2026-02-30" (expected a date"#),
        (["--aspect", "wide"], #"--aspect: invalid value "wide" (expected landscape, portrait, square"#),
        (["--min-pixels", "2X"], #"--min-pixels: invalid value "2X" (expected a number of pixels"#),
        (["--media-format", "jpeq"], #"unknown media format "jpeq"; did you mean "jpeg"?"#),
        (["--media-format", ""], #"unknown media format "" (expected jpeg, png,"#),
        (["--exclude-tag", ""], "--exclude-tag: empty value (expected a tag)"),
        (["--filter", "widht > 1"], #"invalid filter "widht > 1": unknown field "widht"; did you mean "width"?"#),
        (["--filter", "width >"], #"invalid filter "width >": expected a value after >, found the end"#),
    ])
    func badValueIsOneSentence(_ options: [String], _ message: String) throws {
        let run = try CommandRun(["search", "x", "-p", "loop"] + options)
        #expect(run.status == 64)
        #expect(run.errors.contains("error: \(message)"), "\(run.errors)")
        #expect(run.errors.contains("hint: "))
    }
}
