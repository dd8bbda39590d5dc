import ImgScript

/// The lines at the end of a run: the result, the failures by reason, and how to continue.
struct DownloadReport {
    let tally: DownloadTally
    let folder: String
    let elapsed: Duration
    let wasInterrupted: Bool
    /// The command that retries the failed downloads.
    let retryCommand: String
    /// The number of existing files in a row that stopped the run; nil where they did not.
    var endedAfterSkips: Int?
    /// The images that were left out, and the options that include them.
    var leftOut: [String] = []
    /// The note when there was nothing to do.
    var emptyNote = "nothing to download"

    /// The lines for a terminal or a file.
    func lines(on terminal: Terminal) -> [String] {
        var parts = [TableCell(amount, .bold)]
        if tally.skipped > 0 { parts.append(TableCell("\(tally.skipped.grouped) existing")) }
        if tally.failed > 0 { parts.append(TableCell("\(tally.failed.grouped) failed", .bad)) }
        if tally.failedBefore > 0 { parts.append(TableCell("\(tally.failedBefore.grouped) failed before", .bad)) }
        var lines = parts.lines(separatedBy: " · ", width: terminal.room - 1, on: terminal)
        for reason in tally.reasons.sorted(by: { $0.count > $1.count }) {
            let more = reason.count > reason.examples.count && !reason.examples.isEmpty ? " …" : ""
            let examples = reason.examples.isEmpty ? "" : ": " + reason.examples.joined(separator: ", ") + more
            let cell = TableCell("\(reason.count.grouped) × \(reason.text)\(examples)")
            lines.append("  " + cell.cut(to: terminal.room - 3).rendered(on: terminal))
        }
        if tally.failedBefore > 0 { lines.append("  \(tally.failedBeforeNote)") }
        if tally.failedCommands > 0 {
            lines.append("  \(tally.failedCommands.grouped) × the command after the file failed")
        }
        if tally.unconverted > 0 { lines.append("  \(tally.unconverted.grouped) × not converted") }
        if tally.nearDuplicates > 0 {
            lines.append(
                "  \(tally.nearDuplicates.counted("file")) that \(tally.nearDuplicates == 1 ? "looks" : "look") like others"
            )
        }
        lines += tally.bundles.prefix(Self.bundleLimit).map { "  \(path(of: $0))" }
        if tally.bundles.count > Self.bundleLimit {
            lines.append("  and \((tally.bundles.count - Self.bundleLimit).grouped) more archives")
        }
        if tally.failedBundles > 0 {
            lines.append("  \(tally.failedBundles.counted("archive")) not written; its files are kept")
        }
        lines += leftOut
        if let endedAfterSkips {
            lines.append("stopped by --abort-after: \(endedAfterSkips.grouped) existing files in a row")
        }
        if tally.canRetry, !wasInterrupted {
            lines += terminal.labelled("hint:", .dim, "\(retryCommand) retries the failed downloads")
        }
        if wasInterrupted { lines += terminal.labelled("hint:", .dim, "run the same command again to resume") }
        return lines
    }

    /// How many archives are named.
    private static let bundleLimit = 5

    private func path(of bundle: String) -> String { folder == "this folder" ? bundle : "\(folder)/\(bundle)" }

    private var amount: String {
        guard tally.finished > 0 else {
            return tally.done == 0 && !wasInterrupted ? emptyNote : "no files downloaded"
        }
        let files = tally.finished == 1 ? "1 file" : "\(tally.finished.grouped) files"
        return "\(files) in \(folder), \(tally.bytes.byteCount) in \(elapsed.inShort)"
    }
}

extension Duration {
    /// `0.4 s` below ten seconds, then as elsewhere.
    var inShort: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : inWords
    }
}

extension DownloadTally {
    /// Whether there is anything among the failures that may go better another time.
    var canRetry: Bool { failedBefore > 0 || !codes.subtracting([.input]).isEmpty }

    /// The number of dead links that were left out.
    var failedBeforeNote: String {
        "\(failedBefore.counted("dead link")) of earlier runs \(failedBefore == 1 ? "was" : "were") not requested again"
    }

    /// The images that were left out, with their number, and the way to get them.
    func leftOutNotes(_ selection: SelectionOptions) -> [String] {
        var notes: [String] = []
        if let count = excluded[.filter] { notes.append("\(count.grouped) filtered out") }
        if let count = excluded[.unknownFile] {
            let options = selection.conditions.joined(separator: ", ")
            notes.append(
                "\(count.counted("file URL")) left out: \(options) cannot be checked, since only the URL is known; "
                    + "without \(selection.conditions.count == 1 ? "it" : "them"), "
                    + "\(count == 1 ? "it is" : "they are") downloaded")
        }
        if let count = excluded[.limit] {
            notes.append("\(count.counted("image")) left out by the limit; include more with a larger --limit")
        }
        if let count = excluded[.range] { notes.append("\(count.counted("image")) outside --range left out") }
        return notes + [leftOutNote(besides: selection.narrowing.media)].compactMap(\.self)
    }

    /// How many files of other kinds were left out, and the option that includes them; nil for none.
    private func leftOutNote(besides media: Set<Media.Kind>) -> String? {
        let kinds = Media.Kind.allCases.filter { leftOut[$0] != nil }
        guard !kinds.isEmpty else { return nil }
        let counts = kinds.map { (leftOut[$0] ?? 0).counted($0) }.joined(separator: ", ")
        let all = Media.Kind.allCases.filter { media.contains($0) || kinds.contains($0) }.map(\.rawValue)
        return "\(counts) left out; include with --media \(all.joined(separator: ","))"
    }

    /// The exit code, when nothing else went wrong.
    var status: ExitStatus {
        guard failed > 0 else { return failedCommands + failedBundles + failedBefore > 0 ? .someFailed : .success }
        guard finished + skipped == 0 else { return .someFailed }
        switch codes.count == 1 ? codes.first : nil {
        case .notFound: return .notFound
        case .auth: return .auth
        case .input, .template: return .usage
        default: return .failure
        }
    }
}

extension DownloadEvent {
    /// The file's provider; nil for the file of a URL.
    var provider: String? {
        switch self {
        case .planned(let file, _), .started(let file, _): file.item?.provider.description
        case .finished(let file): file.item?.provider.description
        case .skipped(let key, _): Self.provider(of: key.description)
        case .failed(let failure): failure.subject.flatMap(Self.provider)
        case .inputEnded, .commandEnded, .leftOut, .excluded, .collection, .bundled: nil
        }
    }

    /// What stands before the first colon of `provider:id:role`; not of `url:https://…`, nor of an address.
    private static func provider(of key: String) -> String? {
        guard !key.contains("://"), let colon = key.firstIndex(of: ":") else { return nil }
        return String(key[..<colon])
    }
}

extension Int {
    /// `1 video`, `3 videos`; audio is counted in files.
    fileprivate func counted(_ kind: Media.Kind) -> String {
        counted(kind == .audio ? "audio file" : kind.rawValue)
    }
}

extension DownloadError {
    /// The option or the command that helps; nil where none does.
    var hint: String? {
        switch code {
        case .tooLarge: "--max-file raises the limit"
        case .archive where message.contains("credits"): "--credits none downloads without credits"
        case .archive: "--no-archive downloads without it"
        case .diskFull: "free some space and run the same command again: complete files are kept"
        case .resting: "run the same command again later, with --retry-failed"
        case .tooManyFailures: "failures are in .imgscript/failed.jsonl; --max-failures raises the limit"
        case .folderGone: "create the folder and run the same command again"
        case .pictures:
            "apt install libvips-tools, or run the command without --convert, --max-side and --near-duplicates"
        case .metadata: "without --write-metadata, images are stored unchanged"
        case .mediaKind: "--media image,animation,video,audio downloads other kinds of files"
        case .noMedia: "--format jsonl prints results that can be downloaded"
        default: cause.flatMap { ErrorHint.text(for: $0) }
        }
    }
}
