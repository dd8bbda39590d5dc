import FoundationEssentials
import ProviderModel

/// A user's login at a provider: the tokens that the source issued for the program.
///
/// Never printed, logged or sent to a script.
package struct OAuthLogin: Hashable, Sendable, Codable {
    /// An identifier of the login, which stays the same when its tokens are renewed.
    package let id: String
    /// The access token.
    package var token: String
    /// The secret that belongs to the token (OAuth 1.0a); nil for OAuth 2.
    package var tokenSecret: String?
    /// The token that new tokens are issued for; nil for none.
    package var refreshToken: String?
    /// The end of the access token in seconds since 1970; nil where it does not end.
    package var expires: Int?
    /// The end of the refresh token in seconds since 1970; nil where it is not known.
    package var refreshExpires: Int?

    /// A login that has just begun.
    package init(
        id: String, token: String, tokenSecret: String? = nil, refreshToken: String? = nil, expires: Int? = nil,
        refreshExpires: Int? = nil
    ) {
        self.id = id
        self.token = token
        self.tokenSecret = tokenSecret
        self.refreshToken = refreshToken
        self.expires = expires
        self.refreshExpires = refreshExpires
    }

    /// Reads a login as it is stored.
    package init(stored text: String, of owner: SecretOwner) throws(TransportError) {
        do { self = try JSONDecoder().decode(OAuthLogin.self, from: Data(text.utf8)) } catch {
            throw TransportError(
                .secrets, message: "the stored login of \(owner) cannot be read",
                hint: .logIn(provider: owner.provider.description, server: owner.server), cause: error)
        }
    }

    /// The login as it is stored, on one line.
    package var stored: String {
        var json = JSONWriter()
        json.object { json in
            json.member("id", id)
            json.member("token", token)
            json.member("tokenSecret", tokenSecret)
            json.member("refreshToken", refreshToken)
            json.member("expires", expires)
            json.member("refreshExpires", refreshExpires)
        }
        return json.text
    }

    /// How long the login holds.
    package enum End: Hashable, Sendable {
        /// Until this time, in seconds since 1970.
        case at(Int)
        /// Until the user ends it at the source.
        case revocation
    }

    /// The end of the login: that of its refresh token where there is one.
    package var end: End {
        guard refreshToken == nil else { return refreshExpires.map(End.at) ?? .revocation }
        return expires.map(End.at) ?? .revocation
    }

    /// All that is secret about it.
    var secrets: [String] { [token, tokenSecret, refreshToken].compactMap(\.self) }
}
