import Foundation
import TestSupport
import Testing

/// What the built program does after each file.
struct AfterDownloadTests {
    @Test func commandRunsAfterEachFileWithItsPath() throws {
        let source = try FoxSource()
        let run = try source.download([
            "-p", "foxes", "fox", "--exec", "cp {path} '{folder}/{id} copy.bak'",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let copies = source.files.filter { $0.hasSuffix(" copy.bak") }
        #expect(copies == (1...6).map { "foxes/\($0) copy.bak" })
        #expect(source.bytes(of: "foxes/4 copy.bak") == FoxSource.image(4))
        // What is there already is not given to the command again.
        let again = try source.download(["-p", "foxes", "fox", "--exec", "cp {path} {path}.again"])
        #expect(again.errors == "no files downloaded · 6 existing\n")
        #expect(!source.files.contains { $0.hasSuffix(".again") })
    }

    @Test func commandAfterTheRunRunsOnceWhereThereAreNewFiles() throws {
        let source = try FoxSource()
        let options = ["-p", "foxes", "fox", "--exec-after", "mkdir {folder}/made '{} 2'"]
        let run = try source.download(options)
        #expect(run.status == 0, "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: "\(source.target.path)/made"))
        #expect(FileManager.default.fileExists(atPath: "\(source.target.path) 2"))
        try FileManager.default.removeItem(atPath: "\(source.target.path) 2")
        // Nothing is new: it would fail, as the folder is there.
        #expect(try source.download(options).status == 0)
        let other = try FoxSource().download(["-p", "foxes", "-n", "1", "fox", "--exec-after", "false"])
        #expect(other.status == 2 && other.errors.contains("false failed: exit status 1"), "\(other.errors)")
    }

    @Test func shellRunsOnlyWhereAskedAndValuesAreQuoted() throws {
        let source = try FoxSource()
        let plain = try source.download([
            "-p", "foxes", "-n", "1", "fox", "--exec", "echo {id} ; touch {path}.made",
        ])
        #expect(plain.status == 0 && plain.errors.contains("1 ; touch "), "\(plain.errors)")
        #expect(!source.files.contains { $0.hasSuffix(".made") })
        let other = try FoxSource()
        let script = try other.download(
            ["-p", "foxes", "-n", "1", "fox", "--exec-shell", "echo {title} > {path}.made"])
        #expect(script.status == 0, "\(script.errors)")
        #expect(other.bytes(of: "foxes/1-item-1.jpg.made") == Array("Item 1\n".utf8))
    }

    @Test(arguments: [
        ("--exec", "/bin/sh -c 'echo broken >&2; echo more >&2; exit 3'", "/bin/sh failed: exit status 3: broken"),
        (
            "--exec", "no-such-program-here {path}",
            "could not start no-such-program-here: no such program"
        ),
        ("--exec-shell", "echo broken >&2; exit 1", "the command failed: exit status 1: broken"),
        ("--exec-shell", "exit 2", "the command failed: exit status 2\n"),
        ("--exec-shell", "kill -9 $$", "the command failed: killed by signal 9\n"),
    ])
    func failuresAreToldOnceAndCounted(_ option: String, _ command: String, _ message: String) throws {
        let source = try FoxSource()
        let run = try source.download(["-p", "foxes", "fox", option, command])
        #expect(run.status == 2)
        #expect(run.errors.components(separatedBy: message).count == 2, "\(run.errors)")
        #expect(run.errors.contains("6 × the command after the file failed"), "\(run.errors)")
        #expect(source.files.count == 6, "the files are there all the same")
    }

    @Test(arguments: [
        (["--exec", "echo {pathh}"], #"invalid command "echo {pathh}": unknown field "pathh""#),
        (["--exec", ""], #"invalid command "": empty (expected a program and its arguments)"#),
        (
            ["--exec-after", "echo {id}"],
            #"invalid command "echo {id}": found {id} (expected {folder}: it runs once, not for each file)"#
        ),
        (["--header", "secret"], "invalid header line (expected NAME: VALUE)"),
        (
            ["--header", "Host: a"],
            "invalid header line: Host cannot be set (expected one such as Referer or User-Agent)"
        ),
        (
            ["--range", "5-2"],
            #"--range: invalid value "5-2" (expected places counted from 1, such as 5, 2-5,8 or 20-)"#
        ),
        (["--range", "1-3", "-n", "5"], "--range and --limit cannot be combined"),
        (
            ["--exclude-tags-from", "/nowhere/tags"],
            #"--exclude-tags-from: invalid value "/nowhere/tags" (No such file or directory)"#
        ),
        (["--exec", "a", "--exec-shell", "b"], "--exec and --exec-shell cannot be combined"),
        (
            ["--exec", "a", "--output-format", "webdataset"],
            "--exec and --output-format webdataset cannot be combined"
        ),
        (["--sidecar", "tag"], #"--sidecar: invalid value "tag"; did you mean "tags"?"#),
    ])
    func badValueIsOneSentence(_ options: [String], _ message: String) throws {
        let run = try CommandRun(["download", "-p", "loop", "fox"] + options)
        #expect(run.status == 64)
        #expect(run.errors.contains("error: \(message)"), "\(run.errors)")
    }

    @Test func eventsOfCommandsAreJSON() throws {
        let source = try FoxSource()
        let run = try source.download(
            ["-p", "foxes", "-n", "1", "fox", "--progress", "json", "--exec", "echo done {id}"])
        #expect(
            run.output.contains(
                #"{"event":"command-ended","path":"foxes/1-item-1.jpg","output":"done 1\n"}"#),
            "\(run.output)")
    }
}
