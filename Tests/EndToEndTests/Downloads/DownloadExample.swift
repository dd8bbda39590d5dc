import ImgScript

/// Downloads the first hundred images of foxes, each nearly as wide as a screen.
func downloadFoxes() async throws {
    let engine = try ImageEngine()
    var search = SearchOptions()
    search.limit = 100
    var options = ImageEngine.DownloadOptions()
    options.size = .width(1920)
    let foxes = engine.search("fox", in: ["openverse"], search)
    let summary = try await engine.download(foxes, to: "foxes", options: options) { event in
        if case .failed(let failure) = event { print(failure) }
    }
    print(summary.finished, "files,", summary.skipped, "there already")
    await engine.shutdown()
}
