import ProviderModel
import Testing

@testable import ProviderAuthoring

@Suite("Copied requests")
struct CurlCommandTests {
    @Test(arguments: [
        ("curl https://a.example/s?q=x", "GET https://a.example/s?q=x"),
        ("https://a.example/s?q=x", "GET https://a.example/s?q=x"),
        ("https://a.example/s?q=\"it's+x\"&p=1", "GET https://a.example/s?q=%22it%27s+x%22&p=1"),
        ("$ curl -sSL --compressed 'https://a.example/s?q=a b'", "GET https://a.example/s?q=a%20b"),
        (
            "curl -G https://a.example/s -d q=x --data-urlencode 'tag=a b&c'",
            "GET https://a.example/s?q=x&tag=a%20b%26c"
        ),
        ("curl --url=https://a.example/s -d q=x -d page=1", "POST https://a.example/s q=x&page=1"),
        ("curl -XPUT https://a.example/s -d '{}'", "PUT https://a.example/s {}"),
        ("curl --json '{\"q\":\"x\"}' https://a.example/s", "POST https://a.example/s {\"q\":\"x\"}"),
        (
            "curl 'https://a.example/s' \\\n  -H 'accept: */*' \\\n  --data-raw $'{\"q\":\"it\\'s\"}'",
            "POST https://a.example/s {\"q\":\"it's\"}"
        ),
        ("KEY=1 curl \"https://a.example/s?q=\\\"x\\\"\" -o out.json -m 5", "GET https://a.example/s?q=%22x%22"),
        ("curl a.example/s", "GET https://a.example/s"),
    ])
    func commandSaysMethodURLAndBody(line: String, meaning: String) throws {
        let command = try CurlCommand(parsing: line)
        let body = String(decoding: command.body, as: UTF8.self)
        #expect("\(command.method) \(command.url)\(body.isEmpty ? "" : " \(body)")" == meaning)
    }

    @Test(arguments: [
        ("curl 'https://a.example", "an unclosed quote"), ("curl -H 'a: b'", "no URL in the curl command"),
        ("curl https://a.example/ -d @file", "reads the file"),
        ("curl https://a.example/ -F a=b", "is not supported"),
        ("curl https://a.example/ https://b.example/", "two URLs"),
        ("curl -H nonsense https://a.example/", "a name, a colon"),
        ("curl ftp://a.example/", "invalid URL in the curl command"), ("curl -X", "has no value"),
        ("", "no URL in the curl command"),
    ])
    func whatCannotBeTakenOverIsSaid(line: String, message: String) {
        let error = #expect(throws: DraftError.self) { try CurlCommand(parsing: line) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (
            "-H 'Authorization: Client-ID s3cret'",
            "{ type: 'header', name: 'Authorization', template: 'Client-ID {key}' }"
        ),
        ("-H 'Authorization: Bearer s3cret'", "{ type: 'bearer' }"),
        ("-H 'authorization: s3cret'", "{ type: 'header', name: 'Authorization' }"),
        ("-H 'X-Api-Key: s3cret'", "{ type: 'header', name: 'X-Api-Key' }"), ("-u me:s3cret", "{ type: 'basic' }"),
        ("-u s3cret:", "{ type: 'basic', user: '{key}', password: '' }"),
        ("-H 'Authorization: Basic bWU6czNjcmV0'", "{ type: 'basic' }"),
        ("-b 'theme=dark; sessionid=s3cret'", "{ type: 'cookie', name: 'sessionid' }"),
        ("-G -d api_key=s3cret", "{ type: 'query', name: 'api_key' }"),
        ("-G -d s=jbW0P2Oi2LL-BLvRsGAydF7VGlFOvWQFMSbkJFX6LQo", "{ type: 'query', name: 's' }"),
        ("-G -d v=d910cae7cf00cad373ef82c1858b5a20", "{ type: 'query', name: 'v' }"),
        ("-G -d key=s3cret -d token=s3cret2", "{ type: 'query', fields: { key: '{key}', token: '{token}' } }"),
    ])
    func keysBecomeAuthAndAreNowhereElse(options: String, way: String) throws {
        let detected = DetectedCredentials(
            in: try CurlCommand(parsing: "curl 'https://a.example/s?q=x' -H 'User-Agent: me' \(options)"))
        #expect(detected.script == way)
        #expect(detected.command.url.description == "https://a.example/s?q=x")
        #expect(detected.command.headers.isEmpty && detected.command.user == nil)
        #expect(detected.credentials(for: ProviderID("made")!) != nil)
    }
}
