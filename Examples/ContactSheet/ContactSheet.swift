import FoundationEssentials
import ImgScript

/// Writes a page with the pictures of a search and their credits into one file.
///
/// ```sh
/// swift run contact-sheet 'red fox' >foxes.html
/// swift run contact-sheet coffee pixabay --sample >coffee.html
/// ```
@main
struct ContactSheet {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--sample" }
        guard let text = arguments.first else { return print("usage: contact-sheet TEXT [PROVIDER...] [--sample]") }
        var configuration = ImageEngine.Configuration()
        if CommandLine.arguments.contains("--sample") { configuration.answers = .samples }
        let engine = try ImageEngine(configuration)
        var figures: [String] = []
        for try await image in engine.search(text, in: Array(arguments.dropFirst()), SearchOptions(limit: 12)) {
            figures.append(try await figure(of: image, engine))
        }
        await engine.shutdown()
        print("<!doctype html><meta charset=utf-8><style>figure { display: inline-block; width: 20em }</style>")
        print(figures.joined(separator: "\n"))
    }

    /// A picture within the page, its credit below; a source's text is text in it, never markup.
    private static func figure(of image: Item, _ engine: ImageEngine) async throws -> String {
        let picture = try await engine.images.thumbnail(of: image)
        let credit = try await engine.attributionWriter(for: image.provider).attribution(of: image).html
        let data = Data(picture.bytes).base64EncodedString()
        let year = image.creationDate?.formatted(.iso8601.year()) ?? "undated"
        return """
            <figure><img width=300 alt="" src="data:\(picture.contentType);base64,\(data)">
            <figcaption>\(credit), \(year)</figcaption></figure>
            """
    }
}
