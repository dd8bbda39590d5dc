import ProviderModel

/// The URL of each item's best file, one per line; items without a file are passed over.
struct URLPrinter: ItemPrinter {
    private let sink: any TextSink

    /// URLs to a sink; a `WebURL` is plain ASCII, so every reader may have it as it is.
    init(to sink: any TextSink) { self.sink = sink }

    func print(_ item: Item) throws {
        guard let media = item.bestMedia else { return }
        try sink.writeLine(media.url.description)
    }

    func finish() throws { try sink.flush() }
}
