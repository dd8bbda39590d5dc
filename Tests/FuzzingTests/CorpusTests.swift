import Foundation
import Testing

@Suite("Parsers keep their promises for all input that is known")
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    private static func files(of target: FuzzTarget) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: target.rawValue), includingPropertiesForKeys: nil)
    }

    @Test(arguments: FuzzTarget.allCases)
    func parserKeepsItsPromises(_ target: FuzzTarget) throws {
        let files = try Self.files(of: target)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            #expect(throws: Never.self, "\(target.rawValue)/\(file.lastPathComponent)") { try target.run(bytes) }
            // Whatever is cut off anywhere.
            for length in stride(from: 0, to: min(bytes.count, 256), by: 7) {
                #expect(throws: Never.self, "\(length) bytes of \(file.lastPathComponent)") {
                    try target.run(Array(bytes.prefix(length)))
                }
            }
        }
    }

    /// The seeds that `Tests/Suites/fuzz-seeds.py` has written from other projects' suites.
    private static let seeds = ProcessInfo.processInfo.environment["IMGSCRIPT_SEEDS"].map { URL(filePath: $0) }

    @Test(.enabled(if: seeds != nil, "IMGSCRIPT_SEEDS names no folder"))
    func seedsOfStandardSuiteKeepPromises() throws {
        let folder = try #require(Self.seeds)
        for target in FuzzTarget.allCases {
            let place = folder.appending(path: target.rawValue)
            for name in (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] {
                let bytes = [UInt8](try Data(contentsOf: place.appending(path: name)))
                #expect(throws: Never.self, "\(target.rawValue)/\(name)") { try target.run(bytes) }
            }
        }
    }

    @Test func everyFolderOfTheCorpusIsOfATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
