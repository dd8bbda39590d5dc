import ImgScript

/// Downloads the first hundred images of foxes, each nearly as wide as a screen.
func downloadFoxes() async throws {
    let imgscript = try ImageEngine()
    var search = SearchOptions()
    search.limit = 100
    var options = ImageEngine.DownloadOptions()
    options.size = .width(1920)
    let foxes = try imgscript.search("fox", providers: ["openverse"], options: search)
    let summary = try await imgscript.download(foxes, to: "foxes", options: options) { event in
        if case .failed(let failure) = event { print(failure) }
    }
    print(summary.finished, "files,", summary.skipped, "there already")
    await imgscript.close()
}
