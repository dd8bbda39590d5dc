import Crypto
import Foundation
import TestSupport
import Testing

@testable import Packs

/// Whatever a server or a disk does: the right file or one clear sentence, and nothing half-written under its name.
struct DownloadFaultTests {
    /// What a server does at a path, and what comes of it: a word of the sentence, or nil for the file.
    private struct Fault: Sendable {
        let name: String
        let word: String?
        let reply: @Sendable (Int) -> LoopbackReply
    }

    private static let image = FoxSource.image(1)
    private static let ok = "HTTP/1.1 200 OK\r\n"

    private static func sending(_ head: String, _ bytes: [UInt8]) -> LoopbackReply {
        LoopbackReply([.send(Array(head.utf8) + bytes), .close])
    }

    /// The empty text, packed with gzip.
    private static let packedNothing =
        [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0] + [UInt8](repeating: 0, count: 8)

    private static let packedImage = (try? Gzip.compress(image)) ?? []
    /// All it says is of the packed bytes.
    private static let packedHead = [
        ("Content-Encoding", "gzip"), ("Accept-Ranges", "bytes"), ("ETag", "\"packed\""),
        ("Content-MD5", Data(Insecure.MD5.hash(data: packedImage)).base64EncodedString()),
    ]

    private static let length = "Content-Length: \(image.count)\r\n"

    private static let faults: [Fault] = [
        Fault(name: "truncated", word: "closed the connection before the end of the response") { _ in
            sending("\(ok)\(length)\r\n", Array(image.prefix(900)))
        },
        Fault(name: "truncated-once", word: nil) { number in
            number == 1 ? sending("\(ok)\(length)\r\n", Array(image.prefix(900))) : .answer(body: image)
        },
        Fault(name: "cut-chunks", word: "closed the connection before the end of the response") { _ in
            sending("\(ok)Transfer-Encoding: chunked\r\n\r\nff\r\n", Array(image.prefix(90)))
        },
        Fault(name: "no-length-and-cut", word: "ends after") { _ in
            sending("\(ok)Connection: close\r\n\r\n", Array(image.dropLast(900)))
        },
        Fault(name: "no-length", word: nil) { _ in sending("\(ok)Connection: close\r\n\r\n", image) },
        Fault(name: "closed", word: "closed the connection before the end of the response") { _ in
            LoopbackReply([.close])
        },
        Fault(name: "busy-for-ever", word: "answered 503") { _ in
            .answer(503, headers: [("Retry-After", "0")], text: "busy")
        },
        Fault(name: "busy-once", word: nil) {
            $0 == 1 ? .answer(429, headers: [("Retry-After", "0")]) : .answer(body: image)
        },
        Fault(name: "busy-until-9999", word: "answered 503") { _ in
            .answer(503, headers: [("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")], text: "busy")
        },
        Fault(name: "at-fault", word: "answered 500") { _ in .answer(500, text: "oops") },
        Fault(name: "gone", word: "answered 410") { _ in .answer(410, text: "gone") },
        Fault(name: "login", word: "answered 401") { _ in .answer(401, text: "who are you") },
        Fault(name: "circle", word: "redirected more than 10 times") { _ in .redirect(to: "/circle") },
        Fault(name: "private", word: "10.1.2.3") { _ in .redirect(to: "http://10.1.2.3/x.jpg") },
        Fault(name: "other-scheme", word: "ftp://") { _ in .redirect(to: "ftp://127.0.0.1/x.jpg") },
        Fault(name: "moved", word: nil) { _ in .redirect(301, to: "/truncated-once/else.jpg") },
        Fault(name: "page", word: "web page (\"Sign in\")") { _ in .answer(text: "<html><title>Sign in</title></html>")
        },
        Fault(name: "empty", word: "empty") { _ in .answer() },
        Fault(name: "no-content", word: "204") { _ in .raw("HTTP/1.1 204 No\r\n\r\n") },
        Fault(name: "two-lengths", word: "the Content-Length 5 and 9") { _ in
            .raw("\(ok)Content-Length: 5\r\nContent-Length: 9\r\n\r\nhello")
        },
        Fault(name: "nonsense-length", word: "the Content-Length \"5x\"") { _ in
            .raw("\(ok)Content-Length: 5x\r\n\r\nhello")
        },
        Fault(name: "short-length", word: "ends after") { _ in
            sending("\(ok)Content-Length: \(image.count - 500)\r\n\r\n", image)
        },
        // An unrequested coding is decoded; what came is the image as it is.
        Fault(name: "packed-in-name-only", word: nil) { _ in
            .answer(headers: [("Content-Encoding", "gzip")], body: image)
        },
        Fault(name: "packed", word: nil) { _ in
            .answer(headers: packedHead, body: packedImage)
        },
        Fault(name: "packed-and-cut-once", word: nil) {
            $0 == 1 ? .answer(headers: packedHead, body: Array(packedImage.dropLast(9))) : .answer(body: image)
        },
        Fault(name: "packed-nothing", word: "nothing instead of an image") { _ in
            .answer(headers: [("Content-Encoding", "gzip")], body: packedNothing)
        },
        Fault(name: "packed-badly", word: "a gzip file instead of an image") { _ in
            .answer(headers: [("Content-Encoding", "gzip")], body: Array(packedNothing.dropLast(9)) + [1, 2, 3])
        },
        Fault(name: "private-scheme", word: "file:///etc/passwd") { _ in .redirect(to: "file:///etc/passwd") },
        Fault(name: "http-1.0-and-cut", word: "ends after") { _ in
            sending("HTTP/1.0 200 OK\r\n\r\n", Array(image.dropLast(900)))
        },
        Fault(name: "wrong-digest", word: "Content-MD5") { _ in
            .answer(headers: [("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA==")], body: image)
        },
        Fault(name: "endless-head", word: "header lines") { _ in
            .raw(ok + String(repeating: "X-Filler: 0123456789012345678901234567890123456789\r\n", count: 9_000))
        },
        Fault(name: "no-http", word: "HTTP") { _ in .raw("SSH-2.0-OpenSSH_9.2\r\n") },
        Fault(name: "http-1.0", word: nil) { _ in sending("HTTP/1.0 200 OK\r\n\r\n", image) },
    ]

    @Test func everyFaultEndsWithTheFileOrASentence() throws {
        let counts = Counts()
        let source = try FoxSource { request in
            let name = request.path.split(separator: "/").first.map(String.init) ?? ""
            return Self.faults.first { $0.name == name }.map { $0.reply(counts.next(request.path)) }
        }
        let list = Self.faults.map { "\(source.server.origin)/\($0.name)/x.jpg\n" }.joined()
        let run = try source.download(
            ["-", "--jobs", "40", "--name", "{index:02}.{ext}", "--progress", "json"], input: list)
        #expect(run.status == 2)
        var messages: [String: String] = [:]
        for line in run.output.split(separator: "\n") {
            let event = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard event["event"] as? String == "failed", let subject = event["subject"] as? String else { continue }
            messages[String(subject.split(separator: "/")[2])] = event["message"] as? String
        }
        #expect(messages.values.allSatisfy { $0.matches(of: /try again later/).count <= 1 })
        for (index, fault) in Self.faults.enumerated() {
            let name = "\(index < 9 ? "0" : "")\(index + 1).jpg"
            if let word = fault.word {
                #expect(
                    messages[fault.name]?.contains(word) == true, "\(fault.name): \(messages[fault.name] ?? "no word")")
                let isMissing = source.bytes(of: name) == nil
                #expect(isMissing, "\(fault.name)")
            } else {
                let isRight = source.bytes(of: name) == Self.image
                #expect(isRight, "\(fault.name): \(messages[fault.name] ?? "no word")")
            }
        }
        #expect(source.files.count == Self.faults.count { $0.word == nil })
    }

    @Test func fileWithoutEndIsGivenUp() throws {
        let source = try FoxSource { request in
            guard request.path == "/endless.jpg" else { return nil }
            return Self.sending("\(Self.ok)Connection: close\r\n\r\n", FoxSource.image(1, payload: 3_000_000))
        }
        let run = try source.download(["\(source.server.origin)/endless.jpg", "--max-file", "1M"])
        #expect(run.status == 1)
        let found = "\(source.server.origin) sent more than 1000000 bytes"
        #expect(run.errors.contains(found), "\(run.errors)")
        #expect(run.errors.contains("--max-file raises the limit"), "\(run.errors)")
        #expect(run.errors.contains("1 × over the size limit"), "\(run.errors)")
        #expect(source.files == [])
    }

    @Test func hostWithoutAServerIsASentence() throws {
        let source = try FoxSource()
        source.server.close()
        // Where no resolver answers it must not be waited for longer than for a connection.
        let run = try source.run(
            "download",
            ["-d", source.target.path, "\(source.server.origin)/img/1.jpg", "http://no-such-host.invalid/1.jpg"],
            environment: ["RES_OPTIONS": "timeout:1 attempts:1"])
        #expect(run.status == 1)
        #expect(run.errors.contains("could not connect to \(source.server.origin)"))
        #expect(run.errors.contains("could not resolve host"))
    }

    @Test func fileFromAHostThatTheProviderDoesNotNameIsRefused() throws {
        let source = try FoxSource()
        let line = #"{"provider":"foxes","id":"1","media":[{"role":"large","url":"https://elsewhere.example/1.jpg"}]}"#
        let run = try source.download(["-"], input: line)
        #expect(run.status == 1)
        #expect(run.errors.contains("foxes:1: https://elsewhere.example is not a host of \"foxes\""))
    }

    @Test func privateAddressesNeedTheUsersWord() throws {
        let source = try FoxSource()
        let run = try CommandRun(["download", "-d", source.target.path, "\(source.server.origin)/img/1.jpg"])
        #expect(run.status == 1)
        #expect(run.errors.contains("--allow-host 127.0.0.1:\(source.server.port) allows it, if you trust it"))
    }

    @Test func fullDiskIsOneErrorAndTheNextRunGoesOn() throws {
        let source = try FoxSource {
            $0.path == "/img/5.jpg" ? .answer(body: FoxSource.image(5, payload: 900_000)) : nil
        }
        let program = BuiltExecutable.path(of: "imgscript")
        let rest = [
            "download", "-d", source.target.path, "-p", "foxes", "-j", "1", "--no-archive", "--credits", "none", "fox",
        ]
        let words = (rest + source.common).joined(separator: " ")
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "ulimit -f 500; '\(program)' \(words) 2>'\(source.target.path)/said'"]
        shell.standardOutput = FileHandle.nullDevice
        shell.environment = ["HOME": source.target.path + "/home", "PATH": "/usr/bin:/bin"]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 1)
        let said = source.bytes(of: "said").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(said.matches(of: /no space left on the disk to/).count == 1, "\(said)")
        #expect((1...4).allSatisfy { source.bytes(of: "foxes/\($0)-item-\($0).jpg") == FoxSource.image($0) })
        let again = try source.download(Array(rest.dropFirst(3)))
        #expect(again.status == 0, "\(again.errors)")
        #expect(source.bytes(of: "foxes/5-item-5.jpg")?.count == FoxSource.image(5, payload: 900_000).count)
    }

    @Test func folderThatVanishesEndsTheRunWithOneError() throws {
        let folder = TemporaryFolder()
        let source = try FoxSource(total: 20) { request in
            guard request.path == "/img/3.jpg" else { return nil }
            // What is written meanwhile keeps a removal from ending; the next one takes it too.
            let out = folder.path + "/out"
            while access(out, F_OK) == 0 { try? FileManager.default.removeItem(atPath: out) }
            return nil
        }
        let run = try source.run("download", ["-d", folder.path + "/out", "-p", "foxes", "-j", "1", "-n", "20", "fox"])
        #expect(run.status == 1)
        #expect(run.errors.matches(of: /error:/).count == 1, "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out"))
    }

    @Test func folderThatIsAFileIsASentence() throws {
        let source = try FoxSource()
        FolderListing.write("x", to: source.target.path + "/file")
        let run = try source.run("download", ["-d", source.target.path + "/file", "foxes:1"])
        #expect(run.status == 1)
        #expect(
            run.errors
                == "error: \(source.target.path)/file is a file (expected a folder)\n")
    }
}

/// Counts the requests for each path, from 1.
private final class Counts: @unchecked Sendable {
    private let lock = NSLock()
    private var counts: [String: Int] = [:]

    func next(_ path: String) -> Int {
        lock.withLock {
            counts[path, default: 0] += 1
            return counts[path] ?? 0
        }
    }
}
