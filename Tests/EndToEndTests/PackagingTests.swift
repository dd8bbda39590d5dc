import Foundation
import TestSupport
import Testing

/// Packages of the same files have the same bytes.
struct PackagingTests {
    /// A folder with what a package is made of: any program that is linked to a library will do.
    private func staged() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let run = try CommandRun(
            shell: """
                set -e
                cd '\(folder.path)'
                install -D -m 755 /usr/bin/env usr/bin/imgscript
                install -D -m 755 /usr/bin/env usr/libexec/imgscript/imgscript-worker
                for file in usr/share/doc/imgscript/CHANGELOG.md usr/share/man/man1/imgscript.1 \\
                    usr/share/bash-completion/completions/imgscript usr/share/imgscript/providers/a.js; do
                    mkdir -p "${file%/*}"
                    echo text >"$file"
                done
                """)
        #expect(run.status == 0, "\(run.errors)")
        return folder
    }

    private func packed(_ folder: String, _ script: String, umask: String) throws -> Data {
        let output = TemporaryFolder()
        let run = try CommandRun(
            shell: """
                umask \(umask) && cd '\(output.path)' && '\(Documentation.root.path)/packaging/\(script)' \
                '\(folder)' 1.2.3 . && cat ./*.deb ./*.xz 2>/dev/null | sha256sum
                """,
            environment: [
                "SOURCE_DATE_EPOCH": "1700000000", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
                "MAINTAINER": "Ana <ana@example.org>",
            ])
        #expect(!run.output.hasPrefix("e3b0c442"), "nothing was packed: \(run.errors)")
        return Data(run.output.utf8)
    }

    private static let hasTools = ["dpkg-shlibdeps", "ldconfig"].allSatisfy { name in
        ["/usr/bin", "/sbin", "/usr/sbin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    @Test(.enabled(if: hasTools), arguments: ["build-deb", "build-archive"])
    func sameFilesGiveTheSameBytes(script: String) throws {
        let (first, second) = (try staged(), try staged())
        // Another moment, and another user's habits.
        _ = try CommandRun(shell: "find '\(second.path)' -exec touch -d 2001-01-01 {} +")
        #expect(
            try packed(first.path, script, umask: "022") == packed(second.path, script, umask: "027"))
    }

    /// `make install`, as without Swift on the path: what has been built is installed.
    @Test func installedProgramWorksAndIsRemovedWhole() throws {
        let folder = TemporaryFolder()
        let built = URL(filePath: BuiltExecutable.path(of: "imgscript")).deletingLastPathComponent().path
        func make(_ target: String) throws -> CommandRun {
            try CommandRun(
                shell: """
                    make --no-print-directory \(target) SWIFT=no-swift BIN='\(built)' SCRATCH='\(folder.path)/scratch' \
                    STRIP= DESTDIR='\(folder.path)/root' PREFIX=/opt
                    """)
        }
        let install = try make("install")
        #expect(install.status == 0, "\(install.errors)")
        let program = "\(folder.path)/root/opt/bin/imgscript"
        let search = try CommandRun(
            shell: "cd / && '\(program)' search --provider pixabay --sample --limit 1 coffee",
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(search.status == 0 && search.output.contains("coffee"), "\(search.errors)")
        let unit = try CommandRun(
            shell: "grep ^ExecStart= '\(folder.path)/root/opt/lib/systemd/system/imgscript.service'")
        #expect(unit.output.hasPrefix("ExecStart=/opt/bin/imgscript serve "))
        let watch = try CommandRun(
            shell: "cd '\(folder.path)/root/opt/lib/systemd/user' && cat imgscript-*.timer imgscript-*.service")
        #expect(watch.output.contains("ExecStart=/opt/bin/imgscript watch run --all --quiet\n"))
        #expect(watch.output.contains("ExecStart=/opt/bin/imgscript providers status --run --quiet\n"))
        #expect(try make("uninstall").status == 0)
        let left = try CommandRun(shell: "find '\(folder.path)/root' ! -type d")
        #expect(left.output == "")
    }

    /// What a service is started with are options that there are.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func unitIsOneThatSystemdTakes() throws {
        let folder = TemporaryFolder()
        let unit = try Documentation.text(of: "packaging/imgscript.service")
        let program = BuiltExecutable.path(of: "imgscript")
        try unit.replacing("/usr/bin/imgscript", with: program)
            .write(toFile: folder.path + "/imgscript.service", atomically: true, encoding: .utf8)
        let run = try CommandRun(
            shell: "systemd-analyze verify --man=no '\(folder.path)/imgscript.service'",
            environment: ["HOME": folder.path])
        #expect(run.status == 0 && !run.errors.contains("imgscript.service:"), "\(run.errors)")
        let timer = try CommandRun(
            shell: """
                cd '\(folder.path)' && cp '\(Documentation.root.path)'/packaging/imgscript-watch.* '\(Documentation.root.path)'/packaging/imgscript-status.* . \
                && sed -i 's,/usr/bin/imgscript,\(program),' imgscript-*.service \
                && systemd-analyze verify --man=no ./imgscript-watch.timer ./imgscript-status.timer
                """, environment: ["HOME": folder.path])
        #expect(timer.status == 0 && !timer.errors.contains("imgscript-"), "\(timer.errors)")
        let command = try #require(unit.firstMatch(of: /ExecStart=\/usr\/bin\/imgscript (.+) \$OPTIONS\n/)?.1)
        // Everything else is right when the one thing that is said is the token's file.
        let serve = try CommandRun(shell: "imgscript \(command.replacing("%d", with: folder.path))")
        #expect(serve.errors.contains("\(folder.path)/token"), "\(serve.errors)")
    }

    @Test(arguments: ["1", "v1.0.0", "1.0", "01.0.0", "9.9.9"])
    func releaseThatTheSourcesDoNotNameIsRefused(version: String) throws {
        let run = try CommandRun(shell: "packaging/check-release \(version)")
        #expect(run.status != 0)
        #expect(run.errors.contains("release \(version): "))
    }
}
