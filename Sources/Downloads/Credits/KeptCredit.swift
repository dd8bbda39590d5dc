import ProviderModel

/// What is to be said of a file, on the way to where it is kept.
enum KeptCredit {
    case fields(KeptFields)
    /// A bare URL's; next to nothing is to be said of it, and there may be very many.
    case bareURL(host: String, page: String)

    /// What is to be said of a file, without any secret.
    init(_ wanted: WantedFile, from media: Media) {
        let request = wanted.request
        guard case .file = request.subject, request.source.credentials == nil else {
            self = .fields(Credit(wanted, from: media).kept)
            return
        }
        self = .bareURL(host: media.url.host, page: wanted.media.url.withoutQuery)
    }
}

extension KeptFields {
    /// Adds the fields of a credit: for a bare URL those of its `Credit`, without making one.
    mutating func add(_ credit: KeptCredit) {
        switch credit {
        case .fields(let fields): add(fields)
        case .bareURL(let host, let page):
            addMissing(5)
            add(host)
            add(page)
            addMissing(3)
            add("via ", host)
            addMissing(1)
        }
    }
}
