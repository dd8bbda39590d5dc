import Foundation
import TestSupport
import Testing

/// What is downloaded, from whatever the built program is given.
struct DownloadCommandTests {
    private static let six = (1...6).map { "foxes/\($0)-item-\($0).jpg" }

    @Test func searchIsDownloadedOnce() throws {
        let source = try FoxSource()
        let first = try source.download(["-p", "foxes", "fox"])
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.split(separator: "\n").sorted().map(String.init) == Self.six)
        #expect(source.files == Self.six)
        #expect(source.bytes(of: "foxes/4-item-4.jpg") == FoxSource.image(4))
        #expect(first.errors.hasPrefix("6 files in \(source.target.path), "))
        let asked = source.requests(for: "/img/").count + source.requests(for: "/report/").count
        let second = try source.download(["-p", "foxes", "fox"])
        #expect(second.status == 0)
        #expect(second.output == "")
        #expect(second.errors == "no files downloaded · 6 existing\n")
        #expect(source.requests(for: "/img/").count + source.requests(for: "/report/").count == asked)
    }

    @Test(arguments: [["-p", "foxes", "fox"], ["foxes:den:1"]])
    func filesThatOnlyDetailsHaveAreFetched(_ images: [String]) throws {
        let source = try FoxSource(listsPreviews: true)
        let first = try source.download(images + ["--no-cache"])
        #expect(first.status == 0, "\(first.errors)")
        #expect(source.files == Self.six)
        #expect(source.bytes(of: "foxes/4-item-4.jpg") == FoxSource.image(4))
        #expect(source.requests(for: "/details/").sorted() == (1...6).map { "/details/\($0)" })
        let again = try source.download(images + ["--no-cache"])
        #expect(again.errors == "no files downloaded · 6 existing\n")
        #expect(source.requests(for: "/details/").count == 6, "the archive knows what was fetched instead")
        _ = try source.download(images + ["--no-cache", "--size", "thumbnail"])
        #expect(source.requests(for: "/img/").contains("/img/40.jpg"))
        #expect(source.requests(for: "/details/").count == 6, "a size that is listed needs no details")
    }

    /// An address in numbers has no domain: its last two numbers stand in many a script.
    @Test func onlyAProviderThatNamesAllOfAnAddressInNumbersIsAskedAboutIt() throws {
        let source = try FoxSource()
        let script = "console.log('read');\n" + LoopbackSource.provider("numbers", port: source.server.port)
        func isAsked(where host: String) throws -> Bool {
            let folder = TemporaryFolder()
            FolderListing.write(script.replacing("127.0.0.1", with: host), to: "\(folder.path)/numbers.js")
            let run = try CommandRun([
                "download", "-d", folder.path, "--providers-folder", folder.path, "--allow-host", "127.0.0.1",
                "--trace",
                "http://127.0.0.1:\(source.server.port)/img/1.jpg",
            ])
            #expect(run.status == 0, "\(run.errors)")
            return run.errors.contains("numbers: console.info: read")
        }
        #expect(try isAsked(where: "127.0.0.1"))
        #expect(try !isAsked(where: "127.7.0.1"))
    }

    @Test func whatASearchPrintedIsDownloadedFromAPipe() throws {
        let source = try FoxSource()
        let printed = try source.run("search", ["-p", "foxes", "-f", "jsonl", "fox"])
        let run = try source.download(["-"], input: printed.output)
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.files == Self.six)
        #expect(source.requests(for: "/search").count == 2, "the search alone has asked")
        let again = try source.download(["--input", "-"], input: printed.output)
        #expect(again.errors == "no files downloaded · 6 existing\n")
    }

    @Test func idsAndPagesAreAskedAboutOnlyOnce() throws {
        let source = try FoxSource()
        let what = ["foxes:2", "https://foxes.example/photos/3"]
        let first = try source.download(what + ["--no-cache"])
        #expect(first.status == 0, "\(first.errors)")
        #expect(source.files == ["foxes/2-item-2.jpg", "foxes/3-item-3.jpg"])
        #expect(source.requests(for: "/details/").count == 2)
        // The source has no originals, which are wanted: that is known now.
        let second = try source.download(what + ["--no-cache"])
        #expect(second.errors == "no files downloaded · 2 existing\n")
        #expect(source.requests(for: "/details/").count == 2)
        let small = try source.download(what + ["--no-cache", "--size", "small", "--name", "{id}.{ext}"])
        #expect(small.status == 0)
        #expect(source.requests(for: "/details/").count == 4, "another size is another file")
    }

    @Test func addressOfAFileNeedsNoProvider() throws {
        let source = try FoxSource()
        let run = try source.download(["\(source.server.origin)/img/7.jpg", "--name", "{name}-{index:03}.{ext}"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.files == ["7-001.jpg"])
    }

    /// What was misspelt leaves nothing behind in a folder that may be another than was meant.
    @Test func wrongWordsMakeNothing() throws {
        let source = try FoxSource()
        let other = TemporaryFolder()
        for (arguments, found) in [
            (["--input", "\(other.path)/none"], "error: could not read \(other.path)/none: No such file or directory"),
            (["--input", other.path], "\(other.path) is a folder (expected a file with URLs"),
            (["--input", ""], "--input: empty value"), (["--archive", "", "foxes:1"], "--archive: empty value"),
        ] {
            let run = try source.download(arguments)
            #expect(run.status == 64, "\(arguments): \(run.errors)")
            #expect(run.errors.contains(found), "\(run.errors)")
            #expect(FolderListing.allFiles(under: source.target.path) == [])
        }
        let archive = try source.download(["--archive", other.path, "foxes:1"])
        #expect(archive.errors.contains("\(other.path) is a folder (expected a database file)"))
        FolderListing.write("", to: "\(other.path)/file")
        let inside = try source.run("download", ["-d", "\(other.path)/file/below", "foxes:1"])
        #expect(inside.errors.contains("found a file (expected a folder)"), "\(inside.errors)")
    }

    @Test func manyFailuresOfOneKindAreANumber() throws {
        let source = try FoxSource()
        let addresses = (1...40).map { "\(source.server.origin)/none-\($0).jpg\n" }.joined()
        let run = try source.download(["-"], input: addresses)
        #expect(run.errors.components(separatedBy: "error:").count == 4, "\(run.errors)")
        #expect(run.errors.contains("more such errors (gone (404)) follow; --verbose prints each"))
        #expect(run.errors.contains("40 × gone (404): "), "\(run.errors)")
        let quiet = try source.download(["-", "--quiet", "--dead-link-age", "0"], input: addresses)
        #expect(quiet.errors.contains("error: 37 more: gone (404)"), "\(quiet.errors)")
        let verbose = try source.download(["-", "--verbose", "--dead-link-age", "0"], input: addresses)
        #expect((1...40).allSatisfy { verbose.errors.contains("/none-\($0).jpg") })
    }

    @Test func unreadableLinesOfAListAreANumber() throws {
        let source = try FoxSource()
        let lines = "foxes:1\n" + (1...40).map { "nobody:\($0)\n" }.joined()
        let run = try source.download(["-"], input: lines)
        #expect(run.errors.components(separatedBy: "error:").count == 4, "\(run.errors)")
        #expect(run.errors.contains("40 × invalid input: nobody:1"), "\(run.errors)")
        let verbose = try source.download(["-", "--verbose"], input: lines)
        #expect((2...41).allSatisfy { verbose.errors.contains("standard input:\($0): ") }, "\(verbose.errors)")
    }

    @Test func listThatCannotBeReadToItsEndIsNoShortList() throws {
        // The memory of the process: there is none at its first address.
        let source = try FoxSource()
        let run = try source.download(["--input", "/proc/self/mem"])
        #expect(run.status == 64)
        #expect(run.errors.contains("could not read /proc/self/mem (Input/output error)"), "\(run.errors)")
    }

    @Test func wordThatNamesNoProviderIsWrongUsage() throws {
        let source = try FoxSource()
        let run = try source.download(["nosuch:1"])
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains("1 × invalid input: nosuch:1"), "\(run.errors)")
        let both = try source.download(["nosuch:1", "foxes:1"])
        #expect(both.status == 2, "\(both.errors)")
    }

    @Test func addressWithoutAFileIsNoOldListing() throws {
        let source = try FoxSource()
        let run = try source.download(["\(source.server.origin)/none.jpg"])
        #expect(run.status == 4)
        #expect(run.errors.contains("not found"), "\(run.errors)")
    }

    @Test func collectionStandsForItsImages() throws {
        let source = try FoxSource()
        let run = try source.download(["foxes:den:9", "-n", "4"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.files == Array(Self.six.prefix(4)))
    }

    @Test func listMixesEverythingAndNamesTheLineThatIsWrong() throws {
        let source = try FoxSource()
        let list = source.target.path + "/list.txt"
        FolderListing.write(
            """
            # foxes
            foxes:1

            {"provider":"foxes","id":"2","title":"Two","media":[{"role":"large","url":"\(source.server.origin)/img/2.jpg"}]}
            {"provider":"foxes","id":"3","media":[{"url":"nowhere"}]}
            nonsense here
            {"url":"\(source.server.origin)/img/4.jpg"}
            """, to: list)
        let run = try source.download(["--input", list, "--name", "{provider}-{id}.{ext}"])
        #expect(run.status == 2)
        #expect(source.files == ["127.0.0.1-4.jpg", "foxes-1.jpg", "foxes-2.jpg", "list.txt"])
        #expect(run.errors.contains("\(list):5: media[0].url: expected an absolute URL, found \"nowhere\""))
        #expect(run.errors.contains("\(list):6: \"nonsense here\" is not valid (expected JSON, PROVIDER:ID or a URL)"))
    }

    @Test func listOfAnEditorOnWindowsIsRead() throws {
        let source = try FoxSource()
        let run = try source.download(["-", "--name", "{id}.{ext}"], input: "\u{feff}foxes:1\r\nfoxes:2\r\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.files == ["1.jpg", "2.jpg"])
    }

    @Test(arguments: [
        (["fox", "foxes:1"], "\"fox\" is neither PROVIDER:ID nor a URL"), ([], "nothing to download"),
        (["--retry-failed", "foxes:1"], "--retry-failed: unexpected arguments"),
        (["-p", "foxes", "-"], "--provider: not allowed with lists"),
        (["--size", "large", "--width", "9", "x"], "--size and --width cannot be combined"),
        (["--name", "{no}.{ext}", "x"], "unknown field \"no\""),
        (["--max-rate", "2x", "x"], "--max-rate: invalid value \"2x\" (expected bytes"),
        (["--jobs", "0", "x"], "--jobs: invalid value \"0\" (expected"),
        (["--shard", "4/3", "x"], "invalid shard \"4/3\""),
        (["--shard-size", "1GB", "x"], "--shard-size: only allowed with --output-format webdataset"),
        (["--no-archive", "--dedupe", "skip", "x"], "--dedupe skip and --no-archive cannot be combined"),
        (["--retry-failed", "-d", "/dev/null/none"], "no such folder: /dev/null/none"),
        (
            ["ftp://a.example/x.jpg"],
            "ftp://a.example/x.jpg: unsupported URL scheme \"ftp\" (expected https or http)"
        ),
        (["file:///etc/hostname"], "file:///etc/hostname: unsupported URL scheme \"file\" (expected https or http)"),
        (["--input", "/"], "/ is a folder (expected a file with URLs, ids or JSON lines)"),
        (["--widht", "100", "foxes:1"], "unknown option \"--widht\"; did you mean \"--width\"?"),
        (["/etc/hostname"], "\"/etc/hostname\" is a file (expected words to search for"),
        (["--param", "a=1", "--param", "a=2", "x"], "--param a: given twice"),
        (["--tag", "", "x"], "--tag: empty value"), (["--license", "", "x"], "--license: empty value"),
    ])
    func wrongUsageIsOneSentence(arguments: [String], sentence: String) throws {
        let run = try CommandRun(["download"] + arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(sentence), "\(run.errors)")
        #expect(!run.errors.contains("<subcommand>"), "the usage is another command's: \(run.errors)")
    }

    @Test func schemeMayBeWrittenInCapitals() throws {
        let source = try FoxSource()
        let address = "\(source.server.origin)/img/1.jpg".replacing("http://", with: "HTTP://")
        let run = try source.download([address, "--name", "{name}.{ext}"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.files == ["1.jpg"])
    }

    @Test func serverThatNoneOfAListRunsOnIsReported() throws {
        let source = try FoxSource()
        let run = try source.download(["-", "--instance", "https://x.example"], input: "foxes:1\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains(
                "warning: the server https://x.example cannot be used: foxes has a fixed server"), "\(run.errors)")
        let address = "\(source.server.origin)/img/2.jpg"
        let file = try source.download([address, "--instance", "https://x.example"])
        #expect(
            file.errors.contains("warning: --instance https://x.example: not used by any of these files"),
            "\(file.errors)")
    }

    @Test func whatBeginsUnreadablyIsNoList() throws {
        let source = try FoxSource()
        let run = try source.download(["-"], input: "name,size,title\nfoxes,1,Fox\n")
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("error: standard input:1: \"name,size,title\" is not valid"))
    }

    @Test func planShowsEverythingAndMakesNothing() throws {
        let source = try FoxSource()
        _ = try source.download(["foxes:2"])
        let before = source.server.requests.count
        let run = try source.download(["-p", "foxes", "-n", "3", "--dry-run", "fox"])
        #expect(run.status == 0)
        #expect(
            run.output == [1, 3].map { "foxes/\($0)-item-\($0).jpg\t\(source.server.origin)/img/\($0).jpg\n" }.joined())
        #expect(
            run.errors.hasPrefix(
                "foxes: 3 of 6 images; include more with a larger --limit\n"
                    + "2 files to download to \(source.target.path) · 1 existing · dry run: nothing was downloaded"))
        #expect(source.server.requests[before...].allSatisfy { $0.path == "/search" })
        let elsewhere = source.target.path + "/new"
        #expect(try source.run("download", ["-d", elsewhere, "-p", "foxes", "--dry-run", "fox"]).status == 0)
        #expect(try source.run("download", ["-d", elsewhere, "nobody:1", "--dry-run"]).status == 64)
        #expect(!FileManager.default.fileExists(atPath: elsewhere))
    }

    @Test func fileThatAnOptionNamesByASlipIsLeftAlone() throws {
        let source = try FoxSource()
        let letter = source.target.path + "/letter.txt"
        FolderListing.write("Dear fox", to: letter)
        for more in [[], ["--dry-run"]] {
            let archive = try source.download(["foxes:1", "--archive", letter] + more)
            #expect(archive.status == 1)
            #expect(archive.errors.contains("\(letter) belongs to another program"), "\(archive.errors)")
            let folder = try source.run("download", ["-d", letter, "foxes:1"] + more)
            #expect(folder.status == 1)
            #expect(folder.errors.contains("is a file (expected a folder)"), "\(folder.errors)")
        }
        #expect(try String(contentsOfFile: letter, encoding: .utf8) == "Dear fox")
        #expect(source.files == ["letter.txt"])
    }

    @Test(arguments: ["pixabay", "internet-archive"])
    func samplesAreListedAndNotFetched(_ provider: String) throws {
        let run = try CommandRun(["download", "-p", provider, "--sample", "-n", "2", "coffee"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.split(separator: "\n").count == 2)
        #expect(run.errors.contains("samples: nothing was downloaded"))
    }

    @Test func useIsReportedForWhatIsFetchedAlone() throws {
        let source = try FoxSource { $0.path == "/img/3.jpg" ? .answer(404, text: "gone") : nil }
        _ = try source.download(["foxes:1"])
        let run = try source.download(["-p", "foxes", "-n", "3", "fox"])
        #expect(run.status == 2)
        #expect(source.requests(for: "/report/").sorted() == ["/report/1", "/report/2", "/report/3"])
    }

    @Test func addressThatIsOverIsAskedForAnew() throws {
        let source = try FoxSource(expires: "2020-01-01T00:00:00Z")
        let run = try source.download(["-p", "foxes", "-n", "2", "fox"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(source.requests(for: "/details/").sorted() == ["/details/1", "/details/2"])
    }

    @Test func addressesOfASourceThatWantsDownloadsComeWithANote() throws {
        let source = try FoxSource()
        let urls = try source.run("search", ["-p", "foxes", "-n", "1", "-f", "urls", "fox"])
        #expect(urls.errors.contains("Foxes forbids hotlinking"))
        #expect(!(try source.run("search", ["-p", "foxes", "-n", "1", "fox"]).errors.contains("hotlinking")))
    }
}
