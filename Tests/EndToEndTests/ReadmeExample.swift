import ImgScript

/// Prints what Openverse calls its first images of coffee.
func printCoffee() async throws {
    for try await image in try ImageEngine().search("coffee", in: ["openverse"]) {
        print(image.title ?? image.id)
    }
}
