import Foundation
import TestSupport
import Testing

/// Archives of what belongs together, from the command line.
struct BundleCommandTests {
    /// The names in a ZIP archive, from its directory of files.
    private func names(in path: String, of source: FoxSource) throws -> [String] {
        let bytes = try #require(source.bytes(of: path))
        var names: [String] = []
        var place = 0
        while let start = bytes[place...].firstRange(of: [0x50, 0x4b, 1, 2])?.lowerBound {
            let length = Int(bytes[start + 28]) | Int(bytes[start + 29]) << 8
            names.append(String(decoding: bytes[start + 46..<start + 46 + length], as: UTF8.self))
            place = start + 46 + length
        }
        return names
    }

    private static let about = ["credits.md", "credits.json", "metadata.jsonl"]

    @Test func collectionEndsInOneArchiveAndLaterRunsAddToIt() throws {
        let source = try FoxSource()
        let run = try source.download(["foxes:den:9", "-n", "4", "--zip"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "foxes/den-9.zip\n")
        #expect(source.files == ["foxes/den-9.zip"])
        #expect(
            try names(in: "foxes/den-9.zip", of: source)
                == (1...4).map { "foxes/\($0)-item-\($0).jpg" } + Self.about)
        let before = source.requests(for: "/img/").count
        let again = try source.download(["foxes:den:9", "-n", "4", "--zip"])
        #expect(again.status == 0 && again.errors.contains("no files downloaded · 4 existing"), "\(again.errors)")
        #expect(source.requests(for: "/img/").count == before)
        let more = try source.download(["foxes:den:9", "--zip"])
        #expect(more.status == 0 && source.requests(for: "/img/").count == before + 2, "\(more.errors)")
        #expect(try names(in: "foxes/den-9.zip", of: source).count == 9)
        #expect(source.files == ["foxes/den-9.zip"])
    }

    @Test func searchEndsInAComicBookOfItsWords() throws {
        let source = try FoxSource()
        let run = try source.download(["-p", "foxes", "--cbz", "--progress", "json", "red", "fox"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#"{"event":"bundled","path":"red fox.cbz","files":6}"#), "\(run.output)")
        #expect(source.files == ["red fox.cbz"])
        let pages = try names(in: "red fox.cbz", of: source)
        #expect(pages.prefix(6) == ["00001.jpg", "00002.jpg", "00003.jpg", "00004.jpg", "00005.jpg", "00006.jpg"])
        #expect(pages.contains("ComicInfo.xml"))
    }

    @Test func commandSeesEachFileBeforeItIsInTheArchive() throws {
        let source = try FoxSource()
        let run = try source.download(["-p", "foxes", "-n", "2", "--zip", "fox", "--exec", "cp {path} {path}.seen"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.files == ["fox.zip", "foxes/1-item-1.jpg.seen", "foxes/2-item-2.jpg.seen"])
        #expect(source.bytes(of: "foxes/1-item-1.jpg.seen") == FoxSource.image(1))
    }

    @Test func fullDiskIsOneSentenceAndTheFilesStay() throws {
        let source = try FoxSource { request in
            guard request.path.hasPrefix("/img/") else { return nil }
            return .answer(body: FoxSource.image(1, payload: 400_000))
        }
        let words = ["-d", source.target.path, "-p", "foxes", "--zip", "fox"] + source.common
        // Blocks of 512 bytes: each file fits, all of them do not.
        let run = try CommandRun(
            shell: "ulimit -f 3000; imgscript download \(words.joined(separator: " "))",
            environment: ["HOME": source.home.path])
        #expect(run.status == 2, "\(run.errors)")
        #expect(run.errors.components(separatedBy: "no space left on the disk to write").count == 2, "\(run.errors)")
        #expect(run.errors.contains("6 files in "), "\(run.errors)")
        #expect(run.errors.contains("1 archive not written; its files are kept"), "\(run.errors)")
        #expect(source.files.filter { $0.hasSuffix(".jpg") }.count == 6)
        #expect(!FolderListing.allFiles(under: source.target.path).contains { $0.hasSuffix(".part") })
        let again = try source.download(["-p", "foxes", "--zip", "fox"])
        #expect(again.status == 0 && source.files == ["fox.zip"], "\(again.errors)")
        #expect(source.requests(for: "/img/").count == 6)
    }

    @Test func killedWhileItWritesLosesNothing() throws {
        let image = FoxSource.image(1, payload: 12_000_000)
        let source = try FoxSource { $0.path.hasPrefix("/img/") ? .answer(body: image) : nil }
        let words = ["-d", source.target.path, "-p", "foxes", "--zip", "fox"]
        let own = source.target.path + "/.imgscript/bundles"
        let running = try RunningCommand(["download"] + words + source.common, home: source.home)
        while running.process.isRunning,
            (try? FileManager.default.contentsOfDirectory(atPath: own))?.contains(where: { $0.hasSuffix(".part") })
                != true
        {}
        kill(running.process.processIdentifier, SIGKILL)
        _ = running.status()
        #expect(source.files.contains("fox.zip") || source.files.filter { $0.hasSuffix(".jpg") }.count == 6)
        let again = try source.download(Array(words.dropFirst(2)))
        #expect(again.status == 0, "\(again.errors)")
        #expect(source.files == ["fox.zip"])
        #expect(try names(in: "fox.zip", of: source).count == 9)
        #expect(source.requests(for: "/img/").count == 6)
        #expect(try FileManager.default.contentsOfDirectory(atPath: own) == [])
    }

    @Test func filesOfARetryAreTakenInByTheNextRun() throws {
        let state = TemporaryFolder()
        let mark = state.path + "/repaired"
        let source = try FoxSource { request in
            request.path == "/img/2.jpg" && !FileManager.default.fileExists(atPath: mark) ? .answer(404) : nil
        }
        let first = try source.download(["-p", "foxes", "-n", "3", "--zip", "fox"])
        #expect(first.status == 2 && source.files == ["fox.zip"], "\(first.errors)")
        FolderListing.write("", to: mark)
        // A list of failures names no collection, so there is no archive to put its files into.
        #expect(try source.download(["--retry-failed", "--zip"]).status == 64)
        #expect(try source.download(["--retry-failed"]).output == "foxes/2-item-2.jpg\n")
        #expect(source.files == ["fox.zip", "foxes/2-item-2.jpg"])
        #expect(try source.download(["-p", "foxes", "-n", "3", "--zip", "fox"]).status == 0)
        #expect(source.files == ["fox.zip"])
        #expect(try names(in: "fox.zip", of: source).count == 6)
    }

    @Test func settingMakesArchivesAndAnOptionAnotherKind() throws {
        let source = try FoxSource()
        #expect(try source.runWithout(["config", "set", "zip", "true"]).status == 0)
        #expect(try source.download(["-p", "foxes", "-n", "1", "fox"]).status == 0)
        #expect(try source.download(["-p", "foxes", "-n", "2", "--cbz", "dog"]).status == 0)
        #expect(source.files == ["dog.cbz", "fox.zip"])
        let bad = try source.runWithout(["config", "set", "convert", "gif"])
        #expect(bad.status == 64 && bad.errors.contains("webp, jpeg, png, avif"), "\(bad.errors)")
    }

    @Test(arguments: [
        (["--zip", "--cbz"], "--zip and --cbz cannot be combined"),
        (["--zip", "--no-archive"], "--zip and --no-archive cannot be combined"),
        (["--cbz", "--output-format", "webdataset"], "--cbz and --output-format webdataset cannot be combined"),
        (["--near-duplicates", "skip", "--no-archive"], "--near-duplicates skip and --no-archive cannot be combined"),
        (
            ["--near-duplicates", "link", "--output-format", "webdataset"],
            "--near-duplicates link and --output-format webdataset cannot be combined"
        ),
        (["--near-duplicates", "drop"], #"--near-duplicates: invalid value "drop" (expected skip, link, report)"#),
        (["--convert", "wepb"], #"--convert: invalid value "wepb"; did you mean "webp"?"#),
        (["--max-side", "0"], #"--max-side: invalid value "0" (expected a whole number from 1 to 65535)"#),
    ])
    func badValueIsOneSentence(_ options: [String], _ message: String) throws {
        let run = try CommandRun(["download", "-p", "loop", "fox"] + options)
        #expect(run.status == 64)
        #expect(run.errors.contains("error: \(message)"), "\(run.errors)")
    }
}
