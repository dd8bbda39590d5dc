import HTTPTypes

/// Whether a response may be kept (RFC 9111 §3).
enum Storability {
    /// What is asked about a response before it is kept.
    struct Question {
        let method: HTTPRequest.Method
        let requestFields: HTTPFields
        let status: Int
        let fields: HTTPFields
        /// Whether the source's terms demand that successful answers are kept.
        let isDemanded: Bool
    }

    /// Whether this cache, which is one person's own, may keep a response to a GET request.
    static func mayStore(_ question: Question) -> Bool {
        let directives = ResponseDirectives(question.fields)
        guard question.method == .get, (200...599).contains(question.status), question.status != 304 else {
            return false
        }
        guard !RequestDirectives(question.requestFields).isNoStore else { return false }
        guard !isAnswerToConditions(question) else { return false }
        if question.isDemanded, (200..<300).contains(question.status) { return true }
        let isUnderstood = StatusCodes.isUnderstood(question.status)
        if directives.mustUnderstand {
            guard isUnderstood else { return false }
        } else if directives.isNoStore {
            return false
        }
        // §4.1: a `Vary` of `*` fails to match every request.
        guard !Vary(question.fields).isAny else { return false }
        return hasReason(question.status, question.fields, directives)
    }

    /// Whether a response to a POST request may be kept for later GET requests (RFC 9110 §9.3.3).
    static func mayStorePost(_ question: Question, isContentLocationTheTarget: Bool) -> Bool {
        let directives = ResponseDirectives(question.fields)
        let isExplicit = directives.maxAge.value != nil || question.fields[.expires] != nil
        return question.method == .post && isExplicit && isContentLocationTheTarget && question.status == 200
            && !directives.isNoStore && !Vary(question.fields).isAny
            && !RequestDirectives(question.requestFields).isNoStore
    }

    /// §3, the last condition: something in the response that lets it be kept.
    private static func hasReason(_ status: Int, _ fields: HTTPFields, _ directives: ResponseDirectives) -> Bool {
        directives.isPublic || directives.isPrivate || directives.maxAge != .absent || fields[.expires] != nil
            || StatusCodes.isHeuristicallyCacheable(status)
    }

    /// An answer that is about a part, or about the request's conditions, and not about the resource.
    private static func isAnswerToConditions(_ question: Question) -> Bool {
        let fields = question.requestFields
        if fields[.range] != nil { return ![200, 206].contains(question.status) }
        if question.status == 206 { return true }
        return question.status == 412 && (fields[.ifMatch] != nil || fields[.ifUnmodifiedSince] != nil)
    }
}
