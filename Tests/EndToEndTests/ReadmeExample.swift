import ImgScriptKit

/// Prints what Pixabay calls its first images of coffee.
func printCoffee() async throws {
    for try await image in try ImgScript().search("coffee", providers: ["pixabay"]) {
        print(image.title ?? image.id)
    }
}
