import ImgScript

/// Those of all providers that were not asked, gathered into a line for each reason.
struct SkippedProviders {
    private var names: [SkippedProvider.Reason: [String]] = [:]

    /// How many there are.
    var count: Int { names.values.reduce(0) { $0 + $1.count } }

    /// Takes one more.
    mutating func add(_ skipped: SkippedProvider) {
        names[skipped.reason, default: []].append(skipped.provider.description)
    }

    /// Says who was left out and how that can be changed.
    func tell(on status: StatusLine) {
        for reason in SkippedProvider.Reason.allCases {
            guard let names = names[reason]?.sorted() else { continue }
            let list = names.joined(separator: ", ")
            switch reason {
            case .operation: status.debug("not asked, they have no such list: \(list)")
            case .near: status.note("not asked, they do not look around a point: \(list)")
            case .key: status.note("not asked, they need a key: \(list)", hint: "imgscript auth set NAME stores one")
            case .instance: status.note("not asked, they need a server: \(list)", hint: "--instance URL names one")
            }
        }
    }
}
