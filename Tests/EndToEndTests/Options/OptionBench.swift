import Crypto
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A source with images of every kind, and the command lines that name them by each kind of input.
final class OptionBench: Sendable {
    /// What came of a run.
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
        /// Where the files are, as long as they are looked at.
        let place: TemporaryFolder
        let home: String
        let requests: [LoopbackRequest]
        /// The most files that were being sent at the same time.
        let filesAtOnce: Int
        /// The most answers of the source that were being made at the same time.
        let questionsAtOnce: Int
        /// How long it took.
        let took: Duration
        /// The server's origin.
        let origin: String

        var folder: String { place.path }

        /// The paths of all files in the folder.
        var files: [String] {
            FolderListing.allFiles(under: folder).map { String($0.dropFirst(folder.count + 1)) }.sorted()
        }

        /// The requests that are not for files.
        var questions: [LoopbackRequest] { requests.filter { $0.path.hasPrefix("/api/") } }

        /// How many times a file was asked for.
        func requests(for file: String) -> Int { requests.count { $0.path.hasPrefix("/files/\(file)") } }

        /// Whether an image's file is there, by its id or by its id and title.
        func has(_ id: String) -> Bool {
            files.contains { path in
                let name = path.split(separator: "/").last ?? ""
                return name.hasPrefix("\(id).") || name.hasPrefix("\(id)-a-\(id).")
            }
        }

        /// The days on which the pictures were changed, by their modification times.
        var dates: [String] {
            files.filter { $0.hasSuffix(".jpg") }.compactMap { path in
                let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
                return (facts?[.modificationDate] as? Date).map { String($0.ISO8601Format().prefix(10)) }
            }
        }

        /// The secrets that are stored in the home.
        var storedSecrets: String {
            String(decoding: FolderListing.bytes(of: "\(home)/.config/imgscript/credentials.json"), as: UTF8.self)
        }

        /// What the pictures hold, as text.
        var pictures: [String] {
            files.filter { $0.hasSuffix(".jpg") }.map {
                String(decoding: FolderListing.bytes(of: "\(folder)/\($0)"), as: UTF8.self)
            }
        }

        /// Whether the program that converts pictures is missing, which is said.
        var lacksProgram: Bool { errors.contains("could not find the program vipsthumbnail") }

        /// What came of several runs, as of one.
        static func joined(_ outcomes: [Outcome]) -> Outcome {
            Outcome(
                status: outcomes.map(\.status).max() ?? 0, output: outcomes.map(\.output).joined(),
                errors: outcomes.map(\.errors).joined(), place: TemporaryFolder(), home: outcomes.first?.home ?? "",
                requests: outcomes.flatMap(\.requests), filesAtOnce: 0, questionsAtOnce: 0, took: .zero, origin: "")
        }

        /// What is to be seen where a cell fails.
        var summary: String {
            "exit \(status), files \(files), requests \(requests.map(\.target)), output \(output.prefix(2_000)), errors \(errors.prefix(2_000))"
        }

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The text of a file below the folder.
        func text(of path: String) -> String {
            String(decoding: FolderListing.bytes(of: "\(folder)/\(path)"), as: UTF8.self)
        }
    }

    /// What the server has seen since the last run.
    private final class Traffic: Sendable {
        struct State {
            /// Whether nothing is answered.
            var isDown = false
            var refusals: Set<String> = []
            var sending = 0
            var filesAtOnce = 0
            var answering = 0
            var questionsAtOnce = 0
        }

        let state = Mutex(State())
    }

    let server: LoopbackServer
    let home = TemporaryFolder()
    private let providers = TemporaryFolder()
    private let lists = TemporaryFolder()
    private let images: [OptionImage]
    private let traffic: Traffic

    /// A source of these images, whose files `pictures` has, or are made up.
    init(
        _ images: [OptionImage] = OptionImage.all, pictures: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
    ) throws {
        self.images = images
        let traffic = Traffic()
        self.traffic = traffic
        server = try LoopbackServer { Self.answer($0, images, traffic, pictures) }
        for name in ["loop"] + OptionProvider.faulty + OptionProvider.unreachable {
            FolderListing.write(OptionProvider.script(name, port: server.port), to: "\(providers.path)/\(name).js")
        }
        FolderListing.write(OptionProvider.script("many", port: nil), to: "\(providers.path)/many.js")
        let folder = "\(home.path)/.config/imgscript"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        FolderListing.write(
            #"{"profiles": {"work": {"contact": "work@sample.example"}}}"#, to: "\(folder)/config.json")
    }

    // MARK: Running

    /// The arguments that let any command use the source.
    var common: [String] { ["--providers-folder", providers.path, "--allow-host", "127.0.0.1:\(server.port)"] }

    /// Downloads from an input with options, of images of these ids, or of all; `environment` goes to the program.
    func download(
        _ input: OptionInput, _ options: [String], providers: [String] = ["loop"], ids: [String]? = nil,
        folder: TemporaryFolder = TemporaryFolder(), environment: [String: String] = [:]
    ) throws -> Outcome {
        let line = try arguments(input, of: providers, ids ?? images.map(\.id), folder: folder.path)
        let environment = ["HOME": home.path].merging(environment) { $1 }
        if input == .retry { try fail(line.input, in: folder) }
        guard input == .watch else {
            return try outcome(in: folder) {
                try CommandRun(
                    ["download", "-d", folder.path] + line.arguments + options + common, input: line.input,
                    environment: environment)
            }
        }
        return try outcome(in: folder) {
            let added = try add(line.arguments, options, folder, environment)
            guard added.status == 0 else { return added }
            return try CommandRun(["watch", "run", Self.watch], environment: environment)
        }
    }

    private static let watch = "table"

    /// Adds a watch: the options of the download stand before the query, those of the query after it.
    private func add(
        _ query: [String], _ options: [String], _ folder: TemporaryFolder, _ environment: [String: String]
    ) throws -> CommandRun {
        _ = try CommandRun(["watch", "remove", Self.watch], environment: environment)
        let (own, others) = try OptionDeclarations.split(options)
        return try CommandRun(
            ["watch", "add", Self.watch, "-d", folder.path] + own + ["--"] + query + others + common,
            environment: environment)
    }

    /// Downloads a list into a folder while the source answers nothing: all of it is to be asked for again.
    private func fail(_ lines: String, in folder: TemporaryFolder) throws {
        traffic.state.withLock { $0.isDown = true }
        defer { traffic.state.withLock { $0.isDown = false } }
        _ = try CommandRun(
            ["download", "-d", folder.path, "--retries", "0", "--no-cache", "--credits", "none", "-"] + common,
            input: lines, environment: ["HOME": home.path])
    }

    /// Downloads into one folder what is there already, and what is recorded as failed.
    func retryPresent(_ options: [String]) throws -> Outcome {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let line = try arguments(.retry, of: ["loop"], images.map(\.id), folder: folder.path)
        try fail(line.input, in: folder)
        _ = try download(.jsonLines, OptionTable.three, folder: other)
        try FileManager.default.copyItem(atPath: "\(other.path)/loop", toPath: "\(folder.path)/loop")
        return try outcome(in: folder) {
            try CommandRun(
                ["download", "-d", folder.path, "--retry-failed"] + options + common,
                environment: ["HOME": home.path])
        }
    }

    /// Downloads an image again that was fetched without an archive and removed since.
    func downloadUnarchived(_ input: OptionInput, _ options: [String]) throws -> Outcome {
        let folder = TemporaryFolder()
        _ = try download(input, options, ids: ["good"], folder: folder)
        try FileManager.default.removeItem(atPath: "\(folder.path)/loop")
        return try download(.jsonLines, [], ids: ["good"], folder: folder)
    }

    /// Downloads into one folder twice, and gives what came of the second time.
    func downloadTwice(_ input: OptionInput, _ options: [String]) throws -> Outcome {
        let folder = TemporaryFolder()
        _ = try download(input, options, folder: folder)
        guard input == .watch else { return try download(input, options, folder: folder) }
        return try outcome(in: folder) {
            try CommandRun(["watch", "run", Self.watch], environment: ["HOME": home.path])
        }
    }

    /// Whether the key of a file belongs to the first of two parts.
    static func isInFirstHalf(_ key: String) -> Bool {
        var hash: UInt64 = 0
        for byte in SHA256.hash(data: Data(key.utf8)).prefix(8) { hash = hash << 8 | UInt64(byte) }
        return hash % 2 == 1
    }

    // MARK: Files that options name

    /// A path in the home.
    func file(_ name: String) -> String { "\(home.path)/\(name)" }

    /// The path of a list with this text.
    func list(_ name: String, _ text: String) -> String {
        let path = "\(lists.path)/\(name)"
        FolderListing.write(text, to: path)
        return path
    }

    /// The path of a file with a cookie of the source's server, and one of another.
    var cookies: String {
        list(
            "cookies.txt",
            """
            # Netscape HTTP Cookie File
            127.0.0.1\tFALSE\t/\tFALSE\t0\tcrumb\tbrown
            other.example\tFALSE\t/\tFALSE\t0\tcrumb\twhite
            """)
    }

    /// Lists or shows the images of an input.
    func list(
        _ input: OptionInput, _ options: [String], providers: [String] = ["loop"], ids: [String] = ["good"],
        environment: [String: String] = [:]
    ) throws -> Outcome {
        let folder = TemporaryFolder()
        let named = providers.flatMap { ["-p", $0] }
        let first = providers.first ?? ""
        let words =
            switch input {
            case .feed: ["feed"] + named
            case .collection: ["show", "\(first):album"]
            case .id: ["show", "\(first):\(ids.first ?? "")"]
            case .pageURL: ["show", "\(server.origin)/\(first)/\(ids.first ?? "")"]
            default: ["search"] + named + (options.contains("--image") ? [] : ["fox"])
            }
        return try outcome(in: folder) {
            try CommandRun(
                words + options + common, environment: ["HOME": home.path].merging(environment) { $1 })
        }
    }

    /// Runs any command, whose files are in a folder.
    func outcome(in folder: TemporaryFolder, _ run: () throws -> CommandRun) throws -> Outcome {
        let before = server.requests.count
        traffic.state.withLock { $0 = Traffic.State() }
        let start = ContinuousClock.now
        let run = try run()
        let took = ContinuousClock.now - start
        let counts = traffic.state.withLock(\.self)
        return Outcome(
            status: run.status, output: run.output, errors: run.errors, place: folder, home: home.path,
            requests: Array(server.requests.dropFirst(before)),
            filesAtOnce: counts.filesAtOnce, questionsAtOnce: counts.questionsAtOnce, took: took, origin: server.origin)
    }

    /// The arguments for an input, and what its standard input has.
    private func arguments(
        _ input: OptionInput, of providers: [String], _ ids: [String], folder: String
    ) throws -> (arguments: [String], input: String) {
        let chosen = images.filter { ids.contains($0.id) }
        let named = providers.flatMap { ["-p", $0] }
        let references = providers.flatMap { provider in chosen.map { "\(provider):\($0.id)" } }
        let pages = providers.flatMap { provider in chosen.map { "\(server.origin)/\(provider)/\($0.id)" } }
        let lines = providers.flatMap { provider in chosen.map { $0.json(of: provider, at: server.origin) } }
        // Of an image whose provider goes wrong nothing is on the list but its id.
        let isFaulty = providers != ["loop"]
        let plain = isFaulty ? references.map { Self.line(of: $0) } : lines
        switch input {
        case .search: return (named + ["fox"], "")
        case .feed: return (named, "")
        case .collection: return (providers.map { "\($0):album" }, "")
        case .id: return (references, "")
        case .pageURL: return (pages, "")
        case .fileURL: return (chosen.map { "\(server.origin)/files/\($0.id).\($0.ending)" }, "")
        case .list: return (["--input", list("list.txt", references.joined(separator: "\n"))], "")
        case .jsonLines: return (["--input", list("list.jsonl", plain.joined(separator: "\n"))], "")
        case .csv:
            let records =
                isFaulty
                ? "provider,id\r\n" + references.map { $0.replacing(":", with: ",") + "\r\n" }.joined()
                : OptionImage.header + chosen.map { $0.record(of: "loop", at: server.origin) }.joined()
            return (["--input", list("list.csv", records)], "")
        case .standardInput: return (["-"], plain.joined(separator: "\n") + "\n")
        // The input is of the run that fails.
        case .retry: return (["--retry-failed"], plain.joined(separator: "\n") + "\n")
        case .watch: return (["search"] + named + ["fox"], "")
        }
    }

    private static func line(of reference: String) -> String {
        let parts = reference.split(separator: ":")
        return #"{"provider":"\#(parts[0])","id":"\#(parts[1])"}"#
    }

    // MARK: Answers

    private static func answer(
        _ request: LoopbackRequest, _ images: [OptionImage], _ traffic: Traffic,
        _ pictures: (String) -> [UInt8]?
    ) -> LoopbackReply {
        // A proxy is asked for whole URLs.
        let path =
            request.path.hasPrefix("http://")
            ? "/" + request.path.split(separator: "/").dropFirst(2).joined(separator: "/") : request.path
        let parts = path.split(separator: "/").map(String.init)
        let origin = "http://" + (request.header("Host") ?? "")
        if traffic.state.withLock(\.isDown) { return .answer(500, text: "down") }
        switch parts.first {
        case "api" where parts.count == 3 && parts[1] == "body":
            return .answer(text: "[" + String(repeating: " ", count: 1 << 21) + "]")
        case "api" where parts.count == 3 && parts[1] == "busy":
            return .answer(503, headers: [("Retry-After", "0")], text: "later")
        case "api" where parts.count == 3 && parts[1] == "mute": return .stalling()
        case "api" where parts.count == 3:
            traffic.state.withLock { state in
                state.answering += 1
                state.questionsAtOnce = max(state.questionsAtOnce, state.answering)
            }
            usleep(1_000)
            defer { traffic.state.withLock { $0.answering -= 1 } }
            return .answer(
                headers: [("Set-Cookie", "seen=yes"), ("Cache-Control", "max-age=600")],
                text: parts[2] == "list"
                    ? list(images, of: parts[1], request, origin)
                    : images.first { $0.id == parts[2] }?.json(of: parts[1], at: origin) ?? "{}")
        case "files" where parts.count == 2: return file(parts[1], images, traffic, pictures)
        default: return .answer(404, text: "no")
        }
    }

    private static func list(
        _ images: [OptionImage], of provider: String, _ request: LoopbackRequest, _ origin: String
    ) -> String {
        func number(_ name: String) -> Int? {
            request.target.split(separator: "\(name)=").last.flatMap { Int($0.prefix { $0.isNumber }) }
        }
        let (page, size) = (number("?page") ?? 1, number("per_page") ?? 8)
        let shown = images.dropFirst((page - 1) * size).prefix(size).map { $0.json(of: provider, at: origin) }
        return #"{"total": \#(images.count), "items": [\#(shown.joined(separator: ","))]}"#
    }

    private static func file(
        _ name: String, _ images: [OptionImage], _ traffic: Traffic, _ pictures: (String) -> [UInt8]?
    ) -> LoopbackReply {
        traffic.state.withLock { state in
            state.sending += 1
            state.filesAtOnce = max(state.filesAtOnce, state.sending)
        }
        // Long enough for requests side by side to meet.
        usleep(3_000)
        defer { traffic.state.withLock { $0.sending -= 1 } }
        let id = String(name.prefix { $0 != "." }).replacing("-small", with: "")
        guard let image = images.first(where: { $0.id == id }) else { return .answer(404, text: "no") }
        let isFirst = traffic.state.withLock { $0.refusals.insert(id).inserted }
        if id == "silent" { return .stalling() }
        if id == "dead" || id == "flaky" && isFirst {
            return .answer(503, headers: [("Retry-After", "0")], text: "later")
        }
        return .answer(headers: [("Set-Cookie", "seen=yes")], body: pictures(id) ?? image.content)
    }
}
