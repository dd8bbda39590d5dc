/// A document that could not be read, or a question it could not answer.
struct DocumentError: Error, Equatable, CustomStringConvertible {
    /// What a caller may want to handle differently.
    enum Code: Sendable {
        /// The markup is not well formed.
        case malformed
        /// The document is too large or too deeply nested, or an expression takes too long.
        case limitExceeded
        /// The XPath expression is not valid, or names an unknown prefix or function.
        case expressionInvalid
        /// The handle belongs to a document that was removed.
        case documentGone
    }

    let code: Code
    let message: String
    /// The URL the document came from, where one document is concerned.
    let url: String?
    /// The line of the document that is at fault.
    let line: Int?

    init(_ code: Code, message: String, url: String? = nil, line: Int? = nil) {
        self.code = code
        self.message = message
        self.url = url
        self.line = line
    }

    var description: String {
        var place = url ?? ""
        if let line { place += place.isEmpty ? "line \(line)" : ":\(line)" }
        return place.isEmpty ? message : "\(place): \(message)"
    }

    static let gone = DocumentError(.documentGone, message: "this document belongs to a response that is gone")
}
