import ImgScript

/// The source of keys: here one key of one provider.
struct PixabayKey: SecretSource {
    let key: String

    func secrets(named names: [String], of owner: SecretOwner) -> [String: String] {
        owner.provider.description == "pixabay" ? ["key": key] : [:]
    }
}

/// Looks at foxes, and downloads them; cancelling the task cancels all requests.
func collectFoxes(pixabayKey: String) async throws {
    var configuration = ImageEngine.Configuration()
    configuration.secrets = PixabayKey(key: pixabayKey)
    let engine = try ImageEngine(configuration)

    for try await image in engine.search("red fox", in: ["openverse", "pixabay"]) {
        let details = try await engine.details(of: image)
        let preview = try await engine.images.thumbnail(of: image, width: 320)
        print(details.title ?? image.id, details.license?.id ?? "", preview.contentType, preview.bytes.count)
        if preview.bytes.count > 100_000 { break }  // leaving the loop cancels the requests under way
    }

    let first = try await engine.page(of: .search("red fox"), in: "openverse")
    if let text = first.next?.description {  // the cursor as text: to store it, or to send it to a client
        let second = try await engine.page(of: .search("red fox"), in: "openverse", after: PageCursor(text))
        print(first.items.count + second.items.count, "of", first.total ?? 0)
    }

    let run = try engine.download(engine.search("red fox"), to: "foxes")
    for try await event in run {
        switch event {
        case .started(let file, _): print("downloading", file.path)
        case .finished(let file): print(run.tally.done, "of", run.tally.expected ?? 0, file.path)
        case .failed(let error): print(error)
        default: break
        }
    }
    await engine.shutdown()
}
