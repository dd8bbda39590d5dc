import Glibc
import ImgScript
import Packs

/// What a pack means for what is on this machine already: keys that it would get, providers that it would hide.
struct NeighbourRemarks {
    private let plan: InstallPlan
    private let context: PackContext

    /// The remarks on the providers that an installation would add.
    init(_ plan: InstallPlan, _ context: PackContext) {
        self.plan = plan
        self.context = context
    }

    /// The sentences to warn with.
    var sentences: [String] {
        get throws {
            let added = plan.next.providers.filter { plan.former?.providers[$0.key] == nil }
            let owners = Set(try context.app.engine.listSecrets(of: []).map(\.owner.provider.description))
            return added.sorted { $0.key < $1.key }.flatMap { id, grant in
                var sentences: [String] = []
                if owners.contains(id), !grant.credentials.isEmpty {
                    sentences.append(
                        "a key of \(id) is stored already: this pack would send it to "
                            + grant.hosts.joined(separator: ", ")
                    )
                }
                return sentences + [hidden(id)].compactMap(\.self)
            }
        }
    }

    private func hidden(_ id: String) -> String? {
        let settings = context.app.settings
        guard let folder = settings.providerFolders.first(where: { access("\($0)/\(id).js", F_OK) == 0 }) else {
            return nil
        }
        return settings.shippedFolders.contains(folder)
            ? "its \(id) takes the place of the one that ships with imgscript"
            : "its \(id) is not used while there is \(folder)/\(id).js"
    }
}
