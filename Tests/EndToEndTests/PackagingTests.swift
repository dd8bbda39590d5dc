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
                """, environment: ["SOURCE_DATE_EPOCH": "1700000000", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
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

    @Test(arguments: ["1", "v1.0.0", "1.0", "01.0.0", "9.9.9"])
    func releaseThatTheSourcesDoNotNameIsRefused(version: String) throws {
        let run = try CommandRun(shell: "packaging/check-release \(version)")
        #expect(run.status != 0)
        #expect(run.errors.contains("release \(version): "))
    }
}
