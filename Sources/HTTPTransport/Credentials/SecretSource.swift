/// Where the keys of providers come from: a vault, a database, an environment.
public protocol SecretSource: Sendable {
    /// Returns the secrets of these names (`key`, `client_id`) that there are; those that are missing are left out.
    func secrets(named names: [String], of owner: SecretOwner) throws -> [String: String]
}
