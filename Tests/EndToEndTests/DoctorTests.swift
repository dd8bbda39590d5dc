import Foundation
import TestSupport
import Testing

/// `imgscript doctor`, in good and bad surroundings.
struct DoctorTests {
    @Test func everythingInPlaceIsSaidInFewLines() throws {
        let run = try CommandRun(["doctor"], environment: ["IMGSCRIPT_PIXABAY_KEY": "s3cr3t"])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("✓ imgscript") == true)
        #expect(lines.contains { $0.hasPrefix("✓ sandbox") && $0.contains("no_new_privs, seccomp, 256 MB, JIT off") })
        #expect(lines.contains { $0.hasPrefix("✓ key of pixabay") && $0.contains("IMGSCRIPT_PIXABAY_KEY") })
        let missing = try #require(run.output.split(separator: "! no key").last)
        #expect(missing.contains("unsplash") && !missing.contains("pixabay"))
        #expect(!run.output.contains("s3cr3t"))
    }

    @Test func missingFolderIsNoFault() throws {
        let folder = "/nowhere/at/all/" + String(repeating: "x", count: 90)
        let run = try CommandRun(["doctor", "--providers-folder", folder])
        #expect(run.status == 0)
        // A path stays whole, however narrow the line.
        #expect(run.output.contains(folder))
        #expect(run.output.split(separator: "\n").contains { $0.hasPrefix("· providers in") })
    }

    @Test func brokenProviderIsNamedWithItsFault() throws {
        let folder = TemporaryFolder()
        try "module.exports = {".write(toFile: folder.path + "/broken.js", atomically: true, encoding: .utf8)
        let run = try CommandRun(["doctor", "--providers-folder", folder.path])
        #expect(run.status == 1)
        #expect(run.output.contains("✗ broken"))
        #expect(run.output.contains("SyntaxError"))
    }

    @Test func missingWorkerIsNamedWithWhatToDo() throws {
        let run = try CommandRun(["doctor"], environment: ["IMGSCRIPT_WORKER": "/nowhere/imgscript-worker"])
        #expect(run.status == 1)
        #expect(run.output.contains("✗ worker"))
        #expect(run.output.contains("/nowhere/imgscript-worker"))
    }
}
