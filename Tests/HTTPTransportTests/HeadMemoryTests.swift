import HTTPTypes
import Testing

@testable import HTTPTransport

@Suite struct HeadMemoryTests {
    private func lines(_ texts: [String]) -> HeadLines {
        var lines = HeadLines()
        for text in texts { Array(text.utf8).withUnsafeBytes { lines.append($0) } }
        return lines
    }

    private func described(_ fields: HTTPFields) -> [String] { fields.map { "\($0.name.rawName): \($0.value)" } }

    /// Heads, one after another, and what is to be read of the last whatever came before.
    @Test(arguments: [
        (["Server: a", "ETag: 1"], ["Server: a", "ETag: 2"], ["Server: a", "ETag: 2"]),
        (["Server: a", "ETag: 1"], ["ETag: 1", "Server: a"], ["ETag: 1", "Server: a"]),
        (["Server: a", "ETag: 1"], ["Server: a"], ["Server: a"]),
        (["Server: a"], ["Server: a", "ETag: 1"], ["Server: a", "ETag: 1"]),
        (["ETag: 1"], ["ETag:"], ["ETag: "]),
        (["ETag: 1"], ["etag: 2"], ["etag: 2"]),
        (["ETag: 1"], ["ETags: 2"], ["ETags: 2"]),
        (["ETag: 1"], ["ETag : 2"], []),
        (["ETag: 1"], ["ETag"], []),
        (["Server: a", "ETag: 1"], ["Server: a", " b"], ["Server: a b"]),
        (["Server: a", "no field"], ["Server: a", "ETag: 1"], ["Server: a", "ETag: 1"]),
        (["Server: a", "ETag: 1"], ["Server: b", "no field"], ["Server: b"]),
        (["no field", " b"], ["no field", " b"], []),
        (["Server: a", "ETag: 1"], [], []),
    ])
    func everyHeadIsReadAsIfItWereTheFirst(_ first: [String], _ second: [String], _ fields: [String]) {
        let memory = HeadMemory()
        _ = memory.fields(of: lines(first))
        #expect(described(memory.fields(of: lines(second))) == fields)
        #expect(described(memory.fields(of: lines(second))) == fields)
    }
}
