import ImgScriptKit

/// Prints what Openverse calls its first images of coffee.
func printCoffee() async throws {
    for try await image in try ImgScript().search("coffee", providers: ["openverse"]) {
        print(image.title ?? image.id)
    }
}
