import Foundation
import TestSupport
import Testing

/// Reverse search, with the built program.
struct SimilarImagesTests {
    private let home = TemporaryFolder()
    private static let png: [UInt8] = [
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1,
        8, 6,
        0, 0, 0, 0x1f, 0x15, 0xc4, 0x89,
    ]

    private func source(image: String = "") throws -> LoopbackSource {
        let source = try LoopbackSource { request in
            if request.path == "/fox.png" { return .answer(headers: [("Content-Type", "image/png")], body: Self.png) }
            return .answer(text: LoopbackSource.page(1...2, total: 2))
        }
        let script = LoopbackSource.provider("loop", port: source.server.port).replacing(
            "search: {",
            with: """
                similar: {
                  \(image)
                  request: (q) => (q.image.url && \(!image.isEmpty)
                    ? { url: 'http://127.0.0.1:\(source.server.port)/similar', query: { url: q.image.url } }
                    : { url: 'http://127.0.0.1:\(source.server.port)/similar', method: 'POST', upload: 'file',
                        form: { name: q.image.name, format: q.image.format, bytes: q.image.bytes } }),
                  parse: (res) => ({ items: res.json.items.map(({ id }) => ({
                    id, media: [{ role: 'original', url: `https://images.example/${id}.jpg` }], type: 'image',
                  })), next: null }),
                },
                search: {
                """)
        try source.add("loop", script)
        return source
    }

    private func file(_ bytes: [UInt8] = Self.png) throws -> String {
        let path = "\(home.path)/fox.png"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func run(_ image: String, _ source: LoopbackSource, _ options: [String] = []) throws -> CommandRun {
        try CommandRun(
            ["search", "-p", "loop", "--image", image] + options + source.arguments, environment: ["HOME": home.path])
    }

    @Test func fileIsUploadedBesideTheFieldsOfTheForm() throws {
        let source = try source()
        let run = try run(try file(), source, ["-f", "{id}\\n"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "1\n2\n")
        let request = try #require(source.server.requests.first)
        #expect(
            request.method == "POST"
                && request.header("content-type")?.hasPrefix("multipart/form-data; boundary=") == true)
        let body = String(decoding: request.body, as: UTF8.self)
        for pair in ["name=\"name\"\r\n\r\nfox.png", "name=\"bytes\"\r\n\r\n33", "name=\"format\"\r\n\r\npng"] {
            #expect(body.contains(pair), "\(body)")
        }
        #expect(body.contains("name=\"file\"; filename=\"fox.png\"\r\nContent-Type: image/png\r\n\r\n"))
        #expect(request.body.firstRange(of: Self.png) != nil)
    }

    @Test func addressIsFetchedByTheHostWhereFilesAreTaken() throws {
        let source = try source()
        let run = try run("\(source.server.origin)/fox.png", source)
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.server.requests.map(\.path) == ["/fox.png", "/similar"])
        #expect(source.server.requests.last?.body.firstRange(of: Self.png) != nil)
    }

    @Test func addressIsPassedOnWhereItIsTaken() throws {
        let source = try source(image: "image: ['url'],")
        #expect(try run("https://a.example/fox.png", source).status == 0)
        #expect(source.server.requests.map(\.target) == ["/similar?url=https%3A%2F%2Fa.example%2Ffox.png"])
        let refused = try run(try file(), source)
        #expect(
            refused.errors.contains("takes the address of an image only (found the file \"fox.png\")"),
            "\(refused.errors)")
    }

    @Test func providerThatCannotSaysWhatItHas() throws {
        let source = try LoopbackSource { _ in .answer(404) }
        let run = try run(try file(), source)
        #expect(run.status != 0 && run.errors.contains("this source has no similar (it has search)"), "\(run.errors)")
        #expect(source.server.requests.isEmpty)
    }

    @Test func badInputIsOneErrorAndNoRequest() throws {
        let source = try source()
        let missing = try run("\(home.path)/none.png", source)
        #expect(missing.errors.contains("could not read \(home.path)/none.png: No such file"), "\(missing.errors)")
        let text = try run(try file(Array("hello".utf8)), source)
        #expect(text.errors.contains("fox.png is not an image"), "\(text.errors)")
        let words = try run(try file(), source, ["fox"])
        #expect(words.status == 64 && words.errors.contains("leave them out"), "\(words.errors)")
        #expect(source.server.requests.isEmpty)
    }
}
