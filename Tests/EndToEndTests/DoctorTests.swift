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
        let sandbox = "no_new_privs, seccomp, RLIMIT_DATA 256 MB, JIT off"
        #expect(lines.contains { $0.hasPrefix("✓ sandbox") && $0.contains(sandbox) })
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

    /// The first time, each provider is evaluated in a process of its own, which takes seconds on a busy machine.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    func loadingIsCountedOnATerminal() throws {
        for command in ["doctor", "providers", "auth list"] {
            let run = try CommandRun(
                shell: "script -qec 'imgscript \(command)' /dev/null </dev/null", environment: ["TERM": "xterm"])
            let counts = run.output.matches(of: /loading the providers: (\d+) of (\d+)/).map { [$0.1, $0.2] }
            let count = try #require(counts.last?[1])
            #expect(counts.count > 60 && counts.first == ["0", count] && counts.last == [count, count], "\(counts)")
        }
        let quiet = try CommandRun(
            shell: "script -qec 'imgscript doctor --quiet' /dev/null </dev/null", environment: ["TERM": "xterm"])
        #expect(!quiet.output.contains("loading"))
    }

    /// A worker that does not answer is not waited for.
    @Test func workerThatHangsIsSaidWithinItsDeadline() throws {
        let folder = TemporaryFolder()
        let worker = folder.path + "/worker"
        try "#!/bin/sh\nexec tail -f /dev/null\n".write(toFile: worker, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
        let run = try CommandRun(["--version"], environment: ["IMGSCRIPT_WORKER": worker])
        #expect(run.status == 0)
        #expect(run.output.contains("worker: could not run \(worker)"), "\(run.output)")
        // Once, not for each provider.
        let doctor = try CommandRun(["doctor"], environment: ["IMGSCRIPT_WORKER": worker])
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("✗ worker") && doctor.output.contains("was not ready within 3 s"))
        #expect(!doctor.output.contains(" usable") && !doctor.errors.contains("loading"))
    }

    /// What is stored of providers, from a kernel that could run them, hides nothing.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/perl")), arguments: [ENOSYS, EINVAL])
    func kernelWithoutSeccompIsSaid(errno: Int32) throws {
        let run = try CommandRun(
            shell: "imgscript doctor >/dev/null; perl Tests/Packaging/without-seccomp.pl \(errno) imgscript doctor")
        #expect(run.status == 1)
        #expect(run.output.contains("✗ worker") && run.output.contains("seccomp"), "\(run.output)\(run.errors)")
        #expect(!run.output.contains("✓ sandbox"))
    }

    /// Runs what follows with a mount namespace of its own.
    private static let unshare = getuid() == 0 ? "unshare -m" : "unshare -rm"
    private static let canHideProc =
        (try? CommandRun(shell: "\(unshare) mount -t tmpfs none /proc").status) == 0

    /// Dispatch traps there when it looks after its threads, now and then.
    @Test(.enabled(if: canHideProc))
    func withoutProcThatIsSaid() throws {
        let run = try CommandRun(
            shell: """
                \(Self.unshare) sh -c 'mount -t tmpfs none /proc
                    for run in $(seq 100); do imgscript doctor 2>/dev/null || [ $? = 1 ] || echo "$?"; done
                    imgscript search -p pixabay --sample coffee'
                """)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                error: could not read /proc/self/cmdline (expected /proc to be mounted)
                hint: mount -t proc proc /proc

                """)
    }

    @Test func missingWorkerIsNamedWithWhatToDo() throws {
        let run = try CommandRun(["doctor"], environment: ["IMGSCRIPT_WORKER": "/nowhere/imgscript-worker"])
        #expect(run.status == 1)
        #expect(run.output.contains("✗ worker"))
        #expect(run.output.contains("/nowhere/imgscript-worker"))
    }
}
