import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite("imgscript.d.ts says what the host does")
struct TypeDeclarationsTests {
    private let declarations: TypeDeclarations

    init() throws { declarations = try TypeDeclarations() }

    @Test func fieldsAreThoseThatTheReadersGoBy() {
        for shape in ContractShapes.all {
            let declared = Set((declarations.interfaces[shape.interface] ?? []).map(\.name))
            let operations = shape.interface == "Provider" ? ProviderOperation.allCases.map(\.rawValue) : []
            let read = Set(shape.names + operations)
            #expect(declared == read, "\(shape.interface)")
        }
    }

    @Test(arguments: ContractSample.all.keys.sorted())
    func whatMayBeLeftOutIsOptional(interface: String) throws {
        let engine = TestEngine()
        let sample = try #require(ContractSample.all[interface])
        #expect(sample.isFine(without: nil, in: engine))
        for member in declarations.interfaces[interface] ?? [] where sample.fields[member.name] != nil {
            #expect(sample.isFine(without: member.name, in: engine) == member.isOptional, "\(interface).\(member.name)")
        }
    }

    @Test func queryAndResponseHaveTheirMembers() throws {
        let script = try ProviderScript(
            file: "a.js",
            source: """
                const names = (value) => [...Object.keys(value), ...Object.getOwnPropertyNames(Object.getPrototypeOf(value))];
                module.exports = { contract: 1, id: 'a', name: 'A', version: '1.0.0', hosts: ['a.example'], mediaHosts: ['*'],
                  instance: { default: 'https://a.example' },
                  search: { params: { p: { type: 'string' } },
                    request: (q) => ({ url: 'https://a.example/', query: { names: Object.keys(q).join() } }),
                    parse: (res) => ({ items: [{ id: '1', type: 'image', media: [], title: names(res).join() }] }) } };
                """, in: ScriptEnvironment(memory: 256 << 20))
        var query = ProviderQuery(text: "x")
        query.cursor = .null
        query.near = ProviderQuery.Point(latitude: 1, longitude: 1)
        query.image = .sample
        let run = OperationRun(.search(query), of: script, limits: WorkerLimits())
        guard case .requests(let requests) = try run.start() else { return }
        let url = requests[0].url
        #expect(Set(url.queryItems[0].value.split(separator: ",").map(String.init)) == names(of: "Query"))
        let response = ProviderResponse(status: 200, url: url, headers: [], body: [])
        guard case .finished(let written) = try run.resume(with: [response]),
            case .page(let page) = written.result
        else { return }
        let members = Set((page.items[0].title ?? "").split(separator: ",").map(String.init)).subtracting([
            "constructor"
        ])
        #expect(members == names(of: "Response"))
    }

    @Test func helpersAreThoseThatCanBeRequired() {
        let names = TestEngine().json("Object.keys(require('imgscript'))")
        #expect(
            names.matches(of: /"(\w+)"/).map { String($0.1) }.sorted() == declarations.exports["imgscript"]?.sorted())
    }

    @Test(arguments: [
        ("Object.keys(require('imgscript/test'))", "imgscript/test", false),
        ("Object.keys(run)", "run", true),
        ("Object.getOwnPropertyNames(Object.getPrototypeOf(expect(1)))", "Expectation", true),
    ])
    func testsHaveWhatIsDeclared(expression: String, declared: String, isInterface: Bool) throws {
        let body = "throw new Error(\(expression).filter((name) => name !== 'constructor').join())"
        let message = try TestedFile.result(of: body).replacing("Error: ", with: "")
        let found = Set(message.split(separator: ",").map(String.init))
        #expect(found == (isInterface ? names(of: declared) : declarations.exports[declared]))
    }

    private func names(of interface: String) -> Set<String> {
        Set((declarations.interfaces[interface] ?? []).map(\.name))
    }
}

/// Every shape that a script gives to the host: its interface in `imgscript.d.ts` and its fields.
private enum ContractShapes {
    static var all: [(interface: String, names: [String])] {
        let fields: [any ContractField.Type] = [
            ProviderField.self, DeprecationField.self, InstanceField.self, AuthField.self, LimitsField.self,
            PageSizeField.self,
            TextLengthField.self, ResetField.self, TermsField.self, OperationField.self, ParameterField.self,
            MatchField.self, MatchItemField.self, RequestField.self, DownloadField.self,
        ]
        return fields.map { ($0.interface, $0.names) } + [
            (Page.schema.interface, Page.schema.names), (SessionResult.schema.interface, SessionResult.schema.names),
        ] + ItemSchema.shapes
    }
}
