import ProviderModel
import ProviderRuntime

/// Why one of all providers was not asked: no fault of its own, so no failure either.
public struct SkippedProvider: Error, CustomStringConvertible {
    /// What it lacks.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// It has no such operation.
        case operation
        /// It cannot look around a point, which is wanted.
        case near
        /// A key that the user has not given.
        case key
        /// A server that the user has not named.
        case instance
    }

    /// The provider.
    public let provider: ProviderID
    /// What it lacks.
    public let reason: Reason

    /// `pixabay was skipped: it needs a key`.
    public var description: String {
        switch reason {
        case .operation: "\(provider) was skipped: it has no such list"
        case .near: "\(provider) was skipped: it has no search around a point"
        case .key: "\(provider) was skipped: it needs a key"
        case .instance: "\(provider) was skipped: it needs a server"
        }
    }
}

extension ScriptProvider {
    /// Fails when the provider cannot be asked for this as things are.
    func checkApplicable(to listing: Listing, _ options: SearchOptions) throws {
        var reason: SkippedProvider.Reason?
        let operation = manifest.description(of: listing.operation)
        if options.near != nil, operation?.takesPoint == false { reason = .near }
        if operation == nil { reason = .operation }
        if isWithoutInstance { reason = .instance }
        if try lacksKey { reason = .key }
        if let reason { throw SkippedProvider(provider: manifest.id, reason: reason) }
    }
}
