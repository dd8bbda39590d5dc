import ProviderModel
import TestSupport
import Testing

@testable import ScriptEngine

/// The cases of "Parsing JSON is a Minefield": `y_` has to be read, `n_` must not be, of `i_` each reader decides.
@Suite(.enabled(if: StandardSuite.folder != nil, "IMGSCRIPT_SUITES names no folder of suites"))
struct JSONStandardSuite {
    @Test func texts() throws {
        var suite = StandardSuite("JSONTestSuite", against: "`res.json` and the host's reader")
        let engine = TestEngine()
        let folder = "nst+JSONTestSuite/test_parsing"
        for file in try suite.files(in: folder).filter({ $0.hasSuffix(".json") }) {
            let bytes = try suite.bytes(of: "\(folder)/\(file)")
            let response = ProviderResponse(status: 200, url: .unset, body: bytes)
            let isReadByScripts = engine.environment.runtime.value(fromJSON: response.jsonText) != nil
            let isReadByHost = (try? JSONValue(parsing: bytes)) != nil
            let wanted: Bool? = file.hasPrefix("y_") ? true : file.hasPrefix("n_") ? false : nil
            let isRight = wanted == nil || isReadByHost == wanted && isReadByScripts == wanted
            suite.note(isRight, "\(file): scripts \(isReadByScripts), host \(isReadByHost)")
        }
        #expect(suite.faults == [])
    }
}
