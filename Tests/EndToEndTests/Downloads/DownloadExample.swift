import ImgScript

/// Downloads the first hundred images of foxes, each nearly as wide as a screen.
func downloadFoxes() async throws {
    let imgscript = try ImageEngine()
    var search = SearchOptions()
    search.limit = 100
    var options = DownloadOptions()
    options.size = .width(1920)
    let foxes = try imgscript.search("fox", providers: ["openverse"], options: search)
    let run = try imgscript.download(foxes, to: "foxes", options: options)
    for try await event in run {
        if case .failed(let error) = event { print(error) }
    }
    print(run.tally.finished, "files,", run.tally.skipped, "there already")
    await imgscript.close()
}
