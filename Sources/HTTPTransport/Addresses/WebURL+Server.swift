import ProviderModel

extension WebURL {
    /// The server a user names, by its name alone or by a URL; without a scheme it speaks https.
    public init(server text: String) throws(TransportError) {
        do throws(InvalidURL) { self = try WebURL(text.contains("://") ? text : "https://\(text)") } catch {
            throw TransportError(
                .badRequest,
                message: "\(text.maskingUserInfo.quoted) is no server; "
                    + "expected its name or its URL, such as https://social.example"
            )
        }
    }
}
