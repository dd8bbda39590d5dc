import ImgScript

extension DownloadError {
    /// The option or the command that helps; nil where none does.
    var hint: String? {
        switch code {
        case .tooLarge: "if it should be so large, raise the limit with --max-file"
        case .archive where message.contains("credits"): "--credits none goes on without them"
        case .archive: "--no-archive goes on without it"
        case .diskFull: "free some space and run the same command again: complete files are kept"
        case .folderGone: "create the folder and run the same command again"
        case .metadata: "without --write-metadata, images stay as they come"
        case .noMedia: "name what a search printed with --format jsonl"
        default: nil
        }
    }
}
