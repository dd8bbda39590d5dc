import Hummingbird
import Logging
import NIOCore

/// What a handler knows of its request besides the request itself.
struct GalleryContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Bodies are lists of images at most.
    var maxUploadSize: Int { 32 << 20 }
}
