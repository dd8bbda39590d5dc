import ProviderLoading
import ProviderModel

/// Why one of all providers was not asked: no fault of its own, so no failure either.
public struct SkippedProvider: Error, CustomStringConvertible {
    /// What it lacks.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// It has no such operation.
        case operation
        /// A key that the user has not given.
        case key
        /// A server that the user has not named.
        case instance
    }

    /// The provider.
    public let provider: ProviderID
    /// What it lacks.
    public let reason: Reason

    /// `pixabay was not asked: it needs a key`.
    public var description: String {
        switch reason {
        case .operation: "\(provider) was not asked: it has no such list"
        case .key: "\(provider) was not asked: it needs a key"
        case .instance: "\(provider) was not asked: it needs a server (--instance)"
        }
    }
}

extension ScriptProvider {
    /// Fails when the provider cannot be asked for this as things are.
    func checkApplicable(to listing: Listing) throws {
        var reason: SkippedProvider.Reason?
        if manifest.description(of: listing.operation) == nil { reason = .operation }
        if isWithoutInstance { reason = .instance }
        if try lacksKey { reason = .key }
        if let reason { throw SkippedProvider(provider: manifest.id, reason: reason) }
    }
}
