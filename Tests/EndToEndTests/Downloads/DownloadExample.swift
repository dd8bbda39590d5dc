import ImgScript

/// Downloads the first hundred images of foxes, each about 1920 pixels wide.
func downloadFoxes() async throws {
    let engine = try ImageEngine()
    var search = SearchOptions()
    search.limit = 100
    var options = DownloadOptions()
    options.size = .width(1920)
    let foxes = engine.search("fox", in: ["openverse"], search)
    let run = try engine.download(foxes, to: "foxes", options: options)
    for try await event in run {
        if case .failed(let error) = event { print(error) }
    }
    print(run.tally.finished, "files,", run.tally.skipped, "there already")
    await engine.shutdown()
}
