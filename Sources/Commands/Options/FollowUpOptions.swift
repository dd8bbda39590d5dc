import ArgumentParser

/// What is done with results when they are listed.
struct FollowUpOptions: ParsableArguments {
    @Flag(help: "open the pages of the results in the browser")
    var open = false

    @Option(
        within: 1...1_000,
        help: ArgumentHelp("maximum number of pages that --open opens (default: 10)", valueName: "n"))
    var openLimit: Int?

    @Flag(help: "ask which of the results to download, as imgscript download does with your settings")
    var select = false

    @Option(
        name: [.customShort("d"), .long],
        help: ArgumentHelp("folder for what --select downloads (default: this one)", valueName: "folder"),
        completion: .directory)
    var directory: String?

    /// The most pages to open.
    var pageLimit: Int { openLimit ?? 10 }

    func validate() throws {
        if openLimit != nil, !open { throw ValidationError("--open-limit: only allowed with --open") }
        guard let directory else { return }
        guard select else { throw ValidationError("--directory: only allowed with --select") }
        guard !directory.isEmpty else { throw ValidationError("--directory: empty value (expected a folder)") }
    }

    /// Checks what only the other options of a listing say.
    func validate(with listing: ListingOptions) throws {
        if open, listing.tags { throw ValidationError.exclusive(["--open", "--tags"]) }
        guard select else { return }
        if listing.tags { throw ValidationError.exclusive(["--select", "--tags"]) }
        guard case .table = listing.format else {
            throw ValidationError("--select: unsupported format (expected table, whose rows have numbers)")
        }
    }
}
