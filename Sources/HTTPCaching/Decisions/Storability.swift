import HTTPTypes

/// Whether a response may be kept (RFC 9111 §3).
enum Storability {
    /// What is asked about a response before it is kept.
    struct Question {
        let method: HTTPRequest.Method
        let requestFields: HTTPFields
        let status: Int
        let fields: HTTPFields
        /// Whether the source's terms demand that successful responses are kept.
        let isRequiredByTerms: Bool
    }

    /// Whether this private cache may keep a response to a GET request.
    static func mayStore(_ question: Question) -> Bool {
        let directives = ResponseDirectives(question.fields)
        guard question.method == .get, (200...599).contains(question.status), question.status != 304 else {
            return false
        }
        guard !RequestDirectives(question.requestFields).isNoStore else { return false }
        guard !isAnswerToConditions(question) else { return false }
        if question.isRequiredByTerms, (200..<300).contains(question.status) { return true }
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

    /// A response that is about a part, or about the request's conditions, and not about the resource.
    private static func isAnswerToConditions(_ question: Question) -> Bool {
        let fields = question.requestFields
        if fields[.range] != nil { return ![200, 206].contains(question.status) }
        if question.status == 206 { return true }
        return question.status == 412 && (fields[.ifMatch] != nil || fields[.ifUnmodifiedSince] != nil)
    }
}

/// What status codes mean to a cache (RFC 9110 §15).
enum StatusCodes {
    /// RFC 9110 §15.1: those that may be used for a while even when the response says nothing about it.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool { heuristicallyCacheable.contains(status) }

    /// Those of RFC 9110, whose demands on caches this one knows.
    static func isUnderstood(_ status: Int) -> Bool { understood.contains(status) }

    /// RFC 5861 §4: those that stand for "the server failed".
    static func isServerFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }

    /// Those by which a gateway says that it did not get through: no response of the server's own (RFC 9111 §4.3.3).
    static func isUnreachable(_ status: Int) -> Bool { (502...504).contains(status) }

    private static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]
    private static let understood: Set<Int> = Set(200...206).union(300...305).union([307, 308]).union(400...417)
        .union([421, 422, 426]).union(500...505)
}
