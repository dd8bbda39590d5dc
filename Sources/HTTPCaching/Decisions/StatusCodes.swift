/// What status codes mean to a cache (RFC 9110 §15).
enum StatusCodes {
    /// RFC 9110 §15.1: those that may be used for a while even when the response says nothing about it.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool { heuristicallyCacheable.contains(status) }

    /// Those of RFC 9110, whose demands on caches this one knows.
    static func isUnderstood(_ status: Int) -> Bool { understood.contains(status) }

    /// RFC 5861 §4: those that stand for “the server failed”.
    static func isServerFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }

    /// Those by which a gateway says that it did not get through: no answer of the server's own (RFC 9111 §4.3.3).
    static func isUnreachable(_ status: Int) -> Bool { (502...504).contains(status) }

    private static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]
    private static let understood: Set<Int> = Set(200...206).union(300...305).union([307, 308]).union(400...417)
        .union([421, 422, 426]).union(500...505)
}
