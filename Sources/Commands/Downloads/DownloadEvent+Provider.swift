import ImgScript

extension DownloadEvent {
    /// The provider whose file this is about; nil for the file behind an address.
    var provider: String? {
        switch self {
        case .planned(let file, _), .started(let file, _): file.item?.provider.description
        case .finished(let file): file.item?.provider.description
        case .skipped(let key, _): Self.provider(of: key.description)
        case .failed(let failure): failure.subject.flatMap(Self.provider)
        case .inputEnded: nil
        }
    }

    /// What stands before the first colon of `provider:id:role`; not of `url:https://…`, nor of an address.
    private static func provider(of key: String) -> String? {
        guard !key.contains("://"), let colon = key.firstIndex(of: ":") else { return nil }
        return String(key[..<colon])
    }
}
