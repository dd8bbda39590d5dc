/// What a `LoopbackServer` does with a request: an answer, or misbehaviour step by step.
package struct LoopbackReply: Sendable {
    /// One thing the server does.
    package enum Step: Sendable {
        /// Sends bytes.
        case send([UInt8])
        /// Sends bytes slowly until the test opens the gate, and then the rest at once.
        case trickle([UInt8], until: Gate)
        /// Waits until the test opens the gate.
        case wait(Gate)
        /// Does nothing until the client goes away or the server is closed.
        case stall
        /// Closes the connection; without it the connection serves the next request.
        case close
    }

    /// What the server does, in order.
    package var steps: [Step]

    /// These steps.
    package init(_ steps: [Step]) { self.steps = steps }

    /// An ordinary answer with its length.
    package static func answer(
        _ status: Int = 200,
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) -> LoopbackReply {
        var head = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return LoopbackReply([.send(Array(head.utf8) + body)])
    }

    /// An ordinary answer of text.
    package static func answer(_ status: Int = 200, headers: [(String, String)] = [], text: String) -> LoopbackReply {
        answer(status, headers: headers, body: Array(text.utf8))
    }

    /// A redirect.
    package static func redirect(_ status: Int = 302, to location: String) -> LoopbackReply {
        answer(status, headers: [("Location", location)])
    }

    /// Exactly these bytes; then the connection is closed.
    package static func raw(_ text: String) -> LoopbackReply { LoopbackReply([.send(Array(text.utf8)), .close]) }

    /// Exactly these bytes; then nothing more comes.
    package static func stalling(after text: String = "") -> LoopbackReply {
        LoopbackReply([.send(Array(text.utf8)), .stall])
    }

    /// No answer to a HEAD request may have a body.
    func withoutBody() -> LoopbackReply {
        let end = Array("\r\n\r\n".utf8)
        return LoopbackReply(
            steps.map { step in
                guard case .send(let bytes) = step, let range = bytes.firstRange(of: end) else { return step }
                return .send(Array(bytes[..<range.upperBound]))
            }
        )
    }
}
