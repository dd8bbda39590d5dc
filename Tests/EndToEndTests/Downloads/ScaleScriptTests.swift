import Foundation
import TestSupport
import Testing

/// The scripts for schedulers.
struct ScaleScriptTests {
    private let folder = TemporaryFolder()

    /// Runs a part, with a program in place of imgscript that writes its arguments down.
    private func slurm(_ part: Int, of count: Int) throws -> Bool {
        let program = "\(folder.path)/bin/imgscript"
        try FileManager.default.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: true)
        FolderListing.write("#!/bin/sh\necho \"$@\" >> \"\(folder.path)/calls\"\n", to: program)
        chmod(program, 0o755)
        let script = Documentation.root.appending(path: "docs/scale/slurm.sh").path
        let environment = try #require(HelperProcess.path(of: "env"))
        return try HelperProcess.run(
            environment,
            [
                "PATH=\(folder.path)/bin:/usr/bin:/bin", "SLURM_ARRAY_TASK_ID=\(part)", "bash", script, "list.jsonl",
                "\(folder.path)/foxes", "\(count)", "--sidecar", "json",
            ])
    }

    @Test func partsOfASlurmArrayKeepTheirNumber() throws {
        #expect(try slurm(3, of: 64))
        #expect(try slurm(17, of: 64))
        #expect(try !slurm(3, of: 32))
        let calls = try String(contentsOfFile: "\(folder.path)/calls", encoding: .utf8).split(separator: "\n")
        #expect(calls.map { $0.contains("--shard 3/64 --sidecar json") } == [true, false])
        #expect(calls.map { $0.contains("--shard 17/64 --sidecar json") } == [false, true])
    }
}
