import Foundation
import TestSupport
import Testing

/// Who writes `--dry-run` wants nothing changed.
struct DryRunTests {
    @Test(arguments: [
        "pack init boards", "pack build .", "pack keygen --output key --no-password", "pack remove boards",
        "pack rollback boards", "cache clear", "cache prune", "auth set pixabay", "auth remove pixabay",
        "providers new lakes",
    ])
    func commandThatSendsNoRequestsRefusesIt(command: String) throws {
        let folder = TemporaryFolder()
        let words = command.split(separator: " ").map(String.init)
        let run = try CommandRun(words + ["--dry-run"], in: folder.path, input: "a-secret\n")
        #expect(run.status == 64)
        #expect(run.errors.contains("--dry-run") && run.output.isEmpty, "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
