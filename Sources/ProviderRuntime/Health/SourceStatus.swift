import ProviderModel

/// The health of one source: how it answered its provider when it was last asked, and which versions of the provider do not
/// understand it.
package struct SourceStatus: Codable, Hashable, Sendable {
    /// A part of a source that is asked.
    package enum Part: String, Codable, CaseIterable, Sendable, CustomStringConvertible {
        case search, feed
        case nextPage = "next page"
        case details
        /// One file of an image.
        case file
        /// The structure of the responses, compared with the recorded ones.
        case structure

        package var description: String { rawValue }

        /// Whether nothing is left without it.
        var isListing: Bool { self == .search || self == .feed }
    }

    /// A part that does not work.
    package struct Fault: Codable, Hashable, Sendable {
        /// The part.
        package var part: Part
        /// What was found.
        package var reason: String

        /// Creates a fault.
        package init(_ part: Part, _ reason: String) {
            self.part = part
            self.reason = reason
        }
    }

    /// The versions of a provider that a change of the source broke.
    package struct Break: Codable, Hashable, Sendable {
        /// The newest version that is known not to work.
        package var version: ProviderVersion
        /// The day on which this was first found: `2026-09-03`.
        package var since: String
        /// The parts that do not work.
        package var parts: [Part]
        /// The first version that is known to work again; nil where none is.
        package var mended: ProviderVersion?

        /// Whether the listings do not work, and not only a part of what they offer.
        package var isWhole: Bool { parts.contains(where: \.isListing) }
    }

    /// The version that was asked.
    package var version: ProviderVersion
    /// When it was last asked with an answer: `2026-11-28T04:00:00Z`.
    package var checked: String
    /// The parts that work.
    package var works: [Part]
    /// The parts that do not.
    package var faults: [Fault]
    /// Why it could not be asked, such as a missing key; nil where it was.
    package var unchecked: String?
    /// The first time that it could not be reached; nil where it was.
    package var unreachable: String?
    /// The break that is not mended, or the last one that was.
    package var broken: Break?

    /// Seconds in which a source may be away without counting as broken.
    private static let patience = 12 * 3_600

    /// The status after a check.
    ///
    /// - Parameters:
    ///   - former: the status so far; nil for the first check.
    ///   - check: what the source answered.
    ///   - now: the time of the check.
    package init(after former: SourceStatus?, _ check: SourceCheck, at now: DateTime) {
        version = check.version
        checked = now.iso8601
        (works, faults, broken) = (check.works, check.faults, former?.broken)
        switch check.outcome {
        case .unchecked(let reason):
            unchecked = reason
            guard let former else { return }
            (version, checked, works, faults) = (former.version, former.checked, former.works, former.faults)
            unreachable = former.unreachable
        case .unreachable(let reason):
            let first = former?.unreachable ?? now.iso8601
            unreachable = first
            faults = [Fault(check.listing, reason)]
            let start = DateTime(iso8601: first) ?? now
            if now.secondsSince1970 - start.secondsSince1970 >= Self.patience { add(since: start.day) }
        case .answered:
            if faults.isEmpty { mend() } else { add(since: now.day) }
        }
    }

    private mutating func add(since day: CalendarDay) {
        let since = broken.flatMap { $0.mended == nil ? $0.since : nil } ?? day.description
        broken = Break(version: version, since: since, parts: faults.map(\.part))
    }

    /// Everything works: with a newer version than the broken one, or because the source has gone back.
    private mutating func mend() {
        guard let former = broken, former.mended == nil else { return }
        if former.version < version { broken?.mended = version } else { broken = nil }
    }

    /// The break that an installed version suffers from; nil where none is known.
    package func fault(of installed: ProviderVersion) -> Break? {
        broken.flatMap { $0.version < installed ? nil : $0 }
    }
}

/// What a source answered its provider.
package struct SourceCheck: Sendable {
    /// How far the check came.
    package enum Outcome: Hashable, Sendable {
        case answered
        /// The source could not be reached.
        case unreachable(String)
        /// Nothing is known: a key is missing, or there were too many requests.
        case unchecked(String)
    }

    /// The provider's version.
    package var version: ProviderVersion
    /// The listing that the provider has.
    package var listing: SourceStatus.Part
    /// How far the check came.
    package var outcome = Outcome.answered
    /// The parts that work.
    package var works: [SourceStatus.Part] = []
    /// The parts that do not.
    package var faults: [SourceStatus.Fault] = []

    /// Creates a check that found nothing yet.
    package init(of version: ProviderVersion, listing: SourceStatus.Part) {
        self.version = version
        self.listing = listing
    }
}

/// The version of a provider, and of the pack that has it.
package struct ProviderVersion: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The version in the provider's manifest.
    package var provider: String
    /// The pack's name; nil for a file without a pack.
    package var pack: String?
    /// The pack's version.
    package var packVersion: String?

    /// Creates a version.
    package init(provider: String, pack: String? = nil, packVersion: String? = nil) {
        self.provider = provider
        self.pack = pack
        self.packVersion = packVersion
    }

    /// The version of a loaded provider.
    package init(of provider: ScriptProvider) {
        let pack = provider.file.pack
        self.init(provider: provider.manifest.version, pack: pack?.name, packVersion: pack?.version)
    }

    /// `core 1.4.0`, else the provider's own version: `version 1.2.0`.
    package var description: String {
        guard let pack, let packVersion else { return "version \(provider)" }
        return "\(pack == CorePack.name ? CorePack.shortName : pack) \(packVersion)"
    }

    /// Whether it is older: by the provider's version, or where that is the same by the version of the same pack.
    static func < (left: ProviderVersion, right: ProviderVersion) -> Bool {
        if let own = SemanticVersion(left.provider), let other = SemanticVersion(right.provider), own != other {
            return own < other
        }
        guard left.pack == right.pack, let own = left.packVersion.flatMap({ SemanticVersion($0) }),
            let other = right.packVersion.flatMap({ SemanticVersion($0) })
        else { return false }
        return own < other
    }
}
