import Foundation
import ProviderModel
import Testing

@testable import ProviderAuthoring

/// How much of real answers is inferred right; the samples are third-party data and lie outside the repository.
@Suite(.enabled(if: DraftedSample.folder != nil, "IMGSCRIPT_SAMPLES names no folder of recorded answers"))
struct DraftedSamplesTests {
    @Test func nineOfTenPlacesAreFoundInRealAnswers() throws {
        var (right, all, wrong) = (0, 0, [String]())
        for sample in DraftedSample.all {
            let content = try Data(contentsOf: URL(filePath: "\(DraftedSample.folder ?? "")/\(sample.file)"))
            let exchange = ProviderDraft.Exchange(
                command: try CurlCommand(parsing: sample.request), content: Array(content))
            let findings = try ProviderDraft(exchange, id: ProviderID("made")!).findings
            for (member, place) in sample.places {
                all += 1
                let subjects = member.split(separator: "|").map(String.init)
                let found = findings.filter { subjects.contains($0.subject) }.map(\.detail)
                if found.contains(place) {
                    right += 1
                } else {
                    wrong.append("\(sample.file) \(member): \(found), expected \(place)")
                }
            }
        }
        print("inferred right: \(right) of \(all) places in \(DraftedSample.all.count) recorded answers")
        for line in wrong.sorted() { print("  \(line)") }
        #expect(Double(right) / Double(all) > 0.9, "\(wrong.sorted())")
    }
}
