/// What a user can change so that something succeeds, as a fact: the program at hand says by which option or command.
public enum Remedy: Hashable, Sendable {
    /// Allow requests to a host outside the public internet: `127.0.0.1:8080`.
    case allowHost(String)
    /// Raise the limit on the length of a response.
    case raiseBodyLimit
    /// Trust the certificate of a private authority.
    case trustCertificate
    /// Leave the mode in which only stored responses are used.
    case goOnline
    /// Check the stored keys of a provider.
    case checkKeys
    /// Update the pack that a provider comes from, and with it what the pack is granted.
    case updatePack
}
