import Foundation
import Packs
import ProviderModel
import Testing

@Suite("The format of an index")
struct PackIndexFormatTests {
    private static let digest = "sha512-" + Data(repeating: 7, count: 64).base64EncodedString()

    private static func version(_ more: String = "") -> String {
        """
        {"archive": "a.tgz", "integrity": "\(digest)", "size": 3, "contract": 1, "later": true, "providers": {}\(more)}
        """
    }

    private static func index(_ packs: String, format: Int = 1) throws -> PackIndex {
        let text = #"{"index": \#(format), "made": "2026-11-28T04:00:00Z", "key": "RW", "packs": {\#(packs)}}"#
        return try PackIndex(parsing: Array(text.utf8))
    }

    @Test(arguments: [
        (#""Anna": {"versions": {}}"#, "Anna: not the name of a pack"),
        (#""anna": {"versions": {"new": \#(version())}}"#, "anna: invalid version \"new\""),
        (#""anna": {"versions": {"1.0.0": {"archive": "a.tgz"}}}"#, "anna: \"integrity\" is missing"),
        (#""anna": 3"#, "anna: "),
    ])
    func packThatCannotBeReadDoesNotCostTheOthers(pack: String, fault: String) throws {
        let index = try Self.index(#"\#(pack), "bob": {"versions": {"1.0.0": \#(Self.version())}}"#)
        #expect(index.packs.keys.sorted() == ["bob"])
        #expect(index.faults.count == 1 && index.faults[0].hasPrefix(fault), "\(index.faults)")
    }

    @Test func otherFormatAndOtherTextAreRefused() {
        #expect(throws: PackError.self) { try Self.index("", format: 2) }
        #expect(throws: PackError.self) { try PackIndex(parsing: Array("<html>".utf8)) }
    }

    @Test(arguments: [
        ("latest", "1.1.0"), ("*", "1.1.0"), ("^1.2", "1.2.0"), ("1.3.0", nil), ("^9", nil), ("~1.0", "1.0.0"),
    ])
    func revokedVersionIsNeverChosenAndADeprecatedOneLast(wanted: String, version: String?) throws {
        let versions = [
            "\"1.0.0\": \(Self.version())", "\"1.1.0\": \(Self.version())",
            "\"1.2.0\": \(Self.version(#", "deprecated": "slow""#))",
            "\"1.3.0\": \(Self.version(#", "revoked": "spies""#))",
        ]
        let index = try Self.index(#""anna": {"versions": {\#(versions.joined(separator: ","))}}"#)
        #expect(index.packs["anna"]?.version(for: wanted)?.version.description == version)
    }

    @Test func textIsReadAsItWasWritten() throws {
        let index = try Self.index(#""anna": {"keywords": ["fox"], "versions": {"1.0.0": \#(Self.version())}}"#)
        #expect(try PackIndex(parsing: Array(index.text.utf8)) == index)
    }

    @Test(arguments: ["anna", "a-1", "imgscript"]) func namesOfIndexes(name: String) {
        #expect(TrustedIndex.isName(name))
    }

    @Test(arguments: ["", "Anna", "github", "npm", "https", "1a", "a_b", "@a"]) func namesOfOtherThings(name: String) {
        #expect(!TrustedIndex.isName(name))
    }
}
