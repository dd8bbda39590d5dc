import ProviderModel
import ProviderRuntime
import Search

extension ImageEngine {
    /// The known health of sources: what this machine has found, and what it has fetched from ``Configuration/statusURLs``.
    package var health: SourceHealth { SourceHealth(statuses.reports(from: settings.statusURLs)) }

    /// The stored statuses of sources.
    package var statuses: StatusStore { StatusStore(stateFolder: settings.stateFolder) }

    /// The files of providers by their names; throws for one that is not installed.
    package func providerFiles(for names: [String]) throws(ProviderError) -> [ProviderFile] {
        var files: [ProviderFile] = []
        for name in providerNames(for: names) { files.append(try directory.entry(named: name).file) }
        return files
    }

    /// Says that a provider that is about to be asked is known to be broken; one of many is left out then.
    func check(_ provider: ScriptProvider, isWanted: Bool, by health: SourceHealth) throws(EngineError) {
        // Samples are recorded, and are there whatever the source does.
        guard case .live = settings.answers, let fault = health.fault(of: provider) else { return }
        let id = provider.manifest.id
        guard isWanted || !fault.fault.isWhole else { throw EngineError.skipped(id, fault) }
        notices.post(.warning("\(id): \(fault)", hint: fault.pack.map { .updatePack($0) }))
    }

    /// A provider's listing with what is known of its health.
    func adding(_ health: SourceHealth, to listing: ProviderListing) -> ProviderListing {
        // What cannot be loaded has an error of its own.
        guard let manifest = try? listing.manifest.get(),
            let fault = health.fault(
                of: listing.id.description,
                ProviderVersion(
                    provider: manifest.version, pack: listing.packVersion?.name,
                    packVersion: listing.packVersion?.version))
        else { return listing }
        var listing = listing
        listing.broken = ProviderListing.Broken(description: fault.description, pack: fault.pack)
        return listing
    }
}
