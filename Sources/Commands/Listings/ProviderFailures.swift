import ImgScript

/// The failures of several providers: those of one kind become one line.
struct ProviderFailures {
    /// Failures are printed as they come up to this many providers, and by kind at the end beyond it.
    private static let individualLimit = 3

    private(set) var errors: [any Error] = []
    private let isGrouped: Bool

    /// The failures of a run over so many providers.
    init(providerCount: Int) { isGrouped = providerCount > Self.individualLimit }

    /// Takes a failure; prints it where it will be no part of a group.
    mutating func add(_ error: any Error, _ status: StatusLine) {
        errors.append(error)
        if !isGrouped { status.error(error) }
    }

    /// Prints the groups.
    func printGroups(on status: StatusLine) {
        guard isGrouped else { return }
        var groups: [(kind: Kind, errors: [any Error])] = []
        for error in errors {
            let kind = Kind(error)
            if let index = groups.firstIndex(where: { $0.kind == kind }) {
                groups[index].errors.append(error)
            } else {
                groups.append((kind, [error]))
            }
        }
        for (kind, errors) in groups {
            guard errors.count > 1 else {
                status.error(errors[0])
                continue
            }
            status.error("\(errors.count) providers \(kind.text)", hint: kind.hint)
            status.debug("they are \(errors.compactMap { ($0 as? ProviderError)?.provider }.joined(separator: ", "))")
        }
    }

    /// What failures have in common that differ in the provider and its host only.
    private struct Kind: Hashable {
        let code: ProviderError.Code
        let reason: String
        let isNotStored: Bool

        init(_ error: any Error) {
            let error = error as? ProviderError ?? ProviderError(.worker, provider: "", message: "\(error)")
            code = error.code
            isNotStored = error.hint == .goOnline
            guard !isNotStored else {
                reason = "have no stored response"
                return
            }
            // A place in a script is one provider's own.
            guard error.location == nil, error.path == nil else {
                reason = error.description
                return
            }
            let host = /\s*(?:https?:\/\/)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?(?:\/\S*)?/
            let common = error.message.replacing(host, with: "")
            reason = String(common.prefix { !";(".contains($0) }).trimmingCharacters(":, ")
        }

        var hint: String? {
            if isNotStored { return Hint.goOnline.commandText }
            return code == .transport ? "--offline answers from the cache" : nil
        }

        /// `could not be reached: could not resolve host (offline?)`.
        var text: String {
            if isNotStored { return reason }
            let isOffline = reason.hasPrefix("could not resolve host")
            return (code == .transport ? "could not be reached: " : "failed: ") + reason
                + (isOffline ? " (offline?)" : "")
        }
    }
}

/// The providers that were skipped, a line for each reason.
struct SkippedProviders {
    private var names: [EngineError.SkipReason: [String]] = [:]
    /// The breaks of those that are known to be broken.
    private var breaks: [String] = []

    /// How many there are.
    var count: Int { names.values.reduce(0) { $0 + $1.count } }

    /// Adds the provider of an error; false for an error of another kind.
    mutating func add(_ error: any Error) -> Bool {
        guard let error = error as? EngineError, case .skipped(let reason) = error.code, let provider = error.provider
        else { return false }
        names[reason, default: []].append(provider.description)
        if reason == .working { breaks.append(error.description.replacing("skipped: ", with: "")) }
        return true
    }

    /// Prints the skipped providers, and how to change that.
    func print(on status: StatusLine) {
        for reason in EngineError.SkipReason.allCases {
            guard let names = names[reason]?.sorted() else { continue }
            let list = names.joined(separator: ", ")
            switch reason {
            case .operation: status.debug("skipped, no such list: \(list)")
            case .near: status.note("skipped, no search around a point: \(list)")
            case .key: status.note("skipped, key needed: \(list)", hint: "imgscript auth set NAME stores a key")
            case .working:
                let name = breaks.count == 1 ? names[0] : "NAME"
                status.note(
                    "skipped, \(breaks.sorted().joined(separator: "; "))",
                    hint: "imgscript pack update brings newer versions; -p \(name) asks all the same")
            case .instance: status.note("skipped, server needed: \(list)", hint: "--instance URL names a server")
            }
        }
    }
}

extension String {
    fileprivate func trimmingCharacters(_ characters: String) -> String {
        var rest = self[...]
        while let last = rest.last, characters.contains(last) { rest.removeLast() }
        return String(rest.drop { characters.contains($0) })
    }
}
