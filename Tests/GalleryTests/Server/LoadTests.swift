import Foundation
import TestSupport
import Testing

@Suite("Many clients leave nothing behind", .serialized, .timeLimit(.minutes(4)))
struct LoadTests {
    private func wait(upTo limit: Duration = .seconds(20), until condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + limit
        while .now < deadline {
            if condition() { return true }
            sched_yield()
        }
        return condition()
    }

    private func gauge(_ name: String, _ server: GalleryProcess) throws -> Int {
        let text = try HTTPClient(port: server.port).send(
            "GET", "/api/v1/metrics", [("Authorization", "Bearer \(server.token)")]
        ).text
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }

    @Test func searchEndsWithItsClient() throws {
        let gate = Gate()
        defer { gate.open() }
        let source = try PictureSource { request in
            request.target.contains("page=2") ? LoopbackReply([.wait(gate), .close]) : nil
        }
        let server = try GalleryProcess(source, isServing: true)
        do {
            let client = try HTTPClient(port: server.port)
            try client.write(
                "GET", "/api/v1/images/events?q=fox&limit=50", [("Authorization", "Bearer \(server.token)")])
            _ = try client.read(through: #""id":"5""#)
            #expect(try gauge("imgscript_searches", server) == 1)
        }
        #expect(wait { (try? gauge("imgscript_searches", server)) == 0 })
    }

    @Test func twoHundredSearchesAndAHundredClientsThatVanishLeaveNothing() throws {
        let server = try GalleryProcess(try PictureSource(), arguments: ["--no-cache"], isServing: true)
        let bearer = [("Authorization", "Bearer \(server.token)")]
        func round() throws {
            func clients(_ text: String, limit: Int) throws -> [HTTPClient] {
                try (0..<100).map { number in
                    let client = try HTTPClient(port: server.port)
                    try client.write("GET", "/api/v1/images/events?q=\(text)\(number)&limit=\(limit)", bearer)
                    return client
                }
            }
            // A hundred pages each, of which they see the first.
            var vanishing = try clients("vanish", limit: 500)
            let staying = try clients("stay", limit: 20)
            for client in vanishing { _ = try client.read(through: #""id":"4""#) }
            #expect(try gauge("imgscript_searches", server) >= 100)
            // While they are under way, the process answers.
            var times: [Duration] = []
            for _ in 0..<20 {
                let start = ContinuousClock.now
                let reply = try HTTPClient(port: server.port).send("GET", "/api/v1/health")
                #expect(reply.status == 200)
                times.append(ContinuousClock.now - start)
            }
            times.sort()
            // Fifty milliseconds where the machine is free.
            #expect(times[10] * 10 < TimeTolerance.default, "\(times)")
            vanishing.removeAll()
            for client in staying { _ = try client.read(through: "event: end") }
            #expect(wait { (try? gauge("imgscript_searches", server)) == 0 })
        }
        try round()
        let descriptors = server.descriptorCount
        let workers = server.childCount
        let memory = ProcessMemory.residentMegabytes(of: "\(server.process.processIdentifier)")
        try round()
        #expect(
            wait { server.descriptorCount <= descriptors }, "\(descriptors) before, \(server.descriptorCount) after")
        #expect(wait { server.childCount <= workers })
        let after = ProcessMemory.residentMegabytes(of: "\(server.process.processIdentifier)")
        #expect(after <= memory + 30, "\(memory) MB before, \(after) MB after")
    }

    @Test func downloadsThatHaveEndedAreForgotten() throws {
        let source = try PictureSource()
        let server = try GalleryProcess(source, isServing: true)
        let bearer = [("Authorization", "Bearer \(server.token)")]
        let items = (1...1_000).map { number in
            #"{"provider":"pictures","id":"\#(number)","type":"image","media":[{"role":"original","#
                + #""url":"http://127.0.0.1:\#(source.port)/image/\#(number).jpg"}]}"#
        }
        let body = #"{"items":[\#(items.joined(separator: ","))]}"#
        var first = ""
        func download() throws {
            let started = try HTTPClient(port: server.port).send("POST", "/api/v1/downloads", bearer, body: body)
            let location = try #require(started.header("Location"))
            if first.isEmpty { first = location }
            // The events come to their end with the download.
            let events = try HTTPClient(port: server.port).send("GET", "\(location)/events", bearer).text
            #expect(events.contains("event: end"))
        }
        for _ in 0..<3 { try download() }
        #expect(try HTTPClient(port: server.port).send("GET", first, bearer).status == 200)
        try download()
        #expect(try HTTPClient(port: server.port).send("GET", first, bearer).status == 404)
    }

    @Test func oneSearchTooManyIsToldToComeBack() throws {
        let gate = Gate()
        defer { gate.open() }
        let source = try PictureSource { $0.path == "/search" ? LoopbackReply([.wait(gate), .close]) : nil }
        let server = try GalleryProcess(source, arguments: ["--max-searches", "2"], isServing: true)
        let bearer = [("Authorization", "Bearer \(server.token)")]
        let clients = try (0..<2).map { number in
            let client = try HTTPClient(port: server.port)
            try client.write("GET", "/api/v1/images/events?q=fox\(number)", bearer)
            return client
        }
        #expect(wait { (try? gauge("imgscript_searches", server)) == 2 })
        let third = try HTTPClient(port: server.port).send("GET", "/api/v1/images?q=fox", bearer)
        #expect(third.status == 429 && third.header("Retry-After") == "1")
        withExtendedLifetime(clients) {}
    }

    @Test func terminationLetsRequestsEnd() throws {
        let gate = Gate()
        let source = try PictureSource(total: 5) { $0.path == "/search" ? LoopbackReply([.wait(gate), .close]) : nil }
        let server = try GalleryProcess(source, isServing: true)
        let client = try HTTPClient(port: server.port)
        try client.write("GET", "/api/v1/images/events?q=fox", [("Authorization", "Bearer \(server.token)")])
        #expect(wait { !source.server.requests.isEmpty })
        server.process.terminate()
        // No new connection is taken.
        #expect(wait { (try? HTTPClient(port: server.port).send("GET", "/api/v1/health")) == nil })
        gate.open()
        #expect(try client.readToEnd().contains("event: end"))
        server.process.waitUntilExit()
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
        for line in server.logText.split(separator: "\n") {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
        }
        #expect(!server.logText.contains("fox"))
    }
}
