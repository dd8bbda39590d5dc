import ProviderModel

/// Converts fetched pictures to another format, or scales large ones down, before they get their names.
///
/// A picture that cannot be converted stays as it came, and says why.
struct PictureConverter: Sendable {
    /// Why a file is left as it is.
    private struct Refusal: Error {
        let reason: String
    }

    let conversion: PictureConversion
    let program: PictureProgram

    /// Converts a finished and verified file; returns what it is then.
    func convert(_ part: PartFile, _ file: FetchedFile) async throws -> FetchedFile {
        guard let source = file.format, let target = conversion.target(of: source, file.size) else { return file }
        do {
            return try await convert(part, file, from: source, to: target)
        } catch let refusal as Refusal {
            return file.unconverted(because: refusal.reason)
        } catch let failure as PictureProgram.Failure {
            return file.unconverted(because: failure.reason)
        }
    }

    private func convert(
        _ part: PartFile, _ file: FetchedFile, from source: MediaFormat, to target: MediaFormat
    ) async throws -> FetchedFile {
        guard PictureProgram.readable.contains(source) else {
            throw Refusal(reason: "\(source.rawValue) files are left as they are")
        }
        let isAnimated = try await isAnimated(part, file, source)
        guard let output = Self.outputs[target] else {
            throw Refusal(reason: "\(target.rawValue) files cannot be written")
        }
        guard !isAnimated || Self.animated.contains(target) else {
            throw Refusal(reason: "it has several images, of which a \(target.rawValue) file would keep one")
        }
        let side = conversion.maximumSide ?? 10_000_000
        let scratch = try await program.thumbnail(
            of: part, size: "\(side)x\(side)>", allPages: Self.animated.contains(source), as: output)
        let layout = try ImageLayout(of: scratch, as: target)
        guard try ImageSignature(of: scratch) == .media(target), layout.end.isWhole else {
            throw Refusal(reason: "what came of it is not a complete \(target.rawValue) file")
        }
        var changed = file
        changed.format = target
        changed.size = layout.size
        (changed.bytes, changed.sha256) = try part.takeContent(of: scratch)
        changed.notes.append("converted from \(source.rawValue)\(file.size.map { " of \($0)" } ?? "")")
        return changed
    }

    /// The formats that can hold several images, each shown for a time.
    private static let animated: Set<MediaFormat> = [.webp, .gif]

    /// The endings that stand for formats, with what keeps pictures good and files small.
    private static let outputs: [MediaFormat: String] = [
        .jpeg: ".jpg[Q=90]", .png: ".png", .webp: ".webp[Q=85]", .avif: ".avif[Q=60]", .heic: ".heic[Q=60]",
        .gif: ".gif",
        .tiff: ".tif[compression=deflate]",
    ]

    /// Whether a file has more images than one.
    private func isAnimated(_ part: PartFile, _ file: FetchedFile, _ format: MediaFormat) async throws -> Bool {
        let content = LimitedContent(part, count: file.bytes)
        switch format {
        case .gif, .webp, .tiff: return try await program.pageCount(of: part) > 1
        case .png: return try Self.hasAnimationChunk(content)
        // The brands of sequences: ISO/IEC 23008-12 §10.2, AV1 Image File Format §6.3.
        case .avif, .heic:
            let brand = try content.bytes(at: 8, count: 4)
            return ["avis", "msf1", "hevc", "hevx"].contains { Array($0.utf8) == brand }
        default: return false
        }
    }

    /// Whether a PNG says before its first image that others follow (PNG, Third Edition, §11.3.6.1).
    private static func hasAnimationChunk(_ content: some FileContent) throws -> Bool {
        var offset = 8
        while offset < content.count {
            let head = try content.bytes(at: offset, count: 8)
            guard let length = head.big(0, 4), !head.has("IDAT", at: 4) else { return false }
            if head.has("acTL", at: 4) { return true }
            offset += length + 12
        }
        return false
    }
}

extension PictureConversion {
    /// The format that a picture is to have; nil where it is as it should be, or no picture.
    func target(of source: MediaFormat, _ size: ImageSize?) -> MediaFormat? {
        guard source.kind == .image else { return nil }
        let target = format?.mediaFormat ?? source
        // A size that is not known may be too large.
        let isTooLarge = maximumSide.map { side in size.map { max($0.width, $0.height) > side } ?? true } ?? false
        return target != source || isTooLarge ? target : nil
    }
}

extension PictureConversion.Format {
    var mediaFormat: MediaFormat {
        switch self {
        case .webp: .webp
        case .jpeg: .jpeg
        case .png: .png
        case .avif: .avif
        }
    }
}

extension FetchedFile {
    fileprivate func unconverted(because reason: String) -> FetchedFile {
        var file = self
        file.unconverted = reason
        file.notes.append("not converted: \(reason)")
        return file
    }
}
