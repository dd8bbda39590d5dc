import ProviderModel
import TestSupport

/// Values of the model's types, by chance.
struct RandomValues {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func flag() -> Bool { Bool.random(using: &generator) }

    mutating func double() -> Double {
        let special = [0, -0.0, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        return flag() ? special[number(0...4)] : Double.random(in: -1e9...1e9, using: &generator)
    }

    mutating func text() -> String {
        let pieces = ["", "a", "ä", "日本", "\u{1F600}", "\0", "\n", "\"", "\\", "\u{FFFD}", "x y", "{}"]
        return (0..<number(0...6)).reduce(into: "") { text, _ in text += pieces[number(0...pieces.count - 1)] }
    }

    mutating func url() -> WebURL {
        let texts = [
            "https://example.com/", "http://localhost:8080/a?b=c#d", "https://[::1]/", "https://a.example/%20",
        ]
        return try! WebURL(texts[number(0...texts.count - 1)])
    }

    mutating func list<Value>(_ value: (inout RandomValues) -> Value) -> [Value] {
        (0..<number(0...3)).map { _ in value(&self) }
    }

    mutating func maybe<Value>(_ value: (inout RandomValues) -> Value) -> Value? { flag() ? value(&self) : nil }

    mutating func pair() -> NamedValue { NamedValue(text(), text()) }

    mutating func choice<Value: CaseIterable>(_: Value.Type) -> Value {
        Value.allCases.randomElement(using: &generator)!
    }

    mutating func media() -> Media {
        var media = Media(role: choice(Media.Role.self), url: url())
        media.width = maybe { $0.number(1...9_999) }
        media.height = maybe { $0.number(1...9_999) }
        media.bytes = maybe { $0.number(0...(1 << 50)) }
        media.format = maybe { $0.text() }
        media.expires = maybe { _ in "2030-01-01" }
        media.isWatermarked = maybe { $0.flag() }
        media.headers = list { $0.pair() }
        return media
    }

    mutating func item() -> Item {
        var item = Item(provider: .unset, id: "i" + text(), type: choice(Item.Kind.self))
        item.title = maybe { $0.text() }
        item.description = maybe { $0.text() }
        item.page = maybe { $0.url() }
        item.tags = list { $0.text() }
        item.author = maybe { Author(name: "N" + $0.text(), id: "1" + $0.text(), url: $0.url()) }
        item.license = maybe { License(id: "l" + $0.text(), name: $0.text(), url: $0.url()) }
        item.created = maybe { _ in "2024-05-01T12:00Z" }
        var (location, camera) = (Location(), Camera())
        location.city = text()
        location.latitude = maybe { Double($0.number(-9_000...9_000)) / 100 }
        camera.model = text()
        camera.iso = maybe { $0.number(1...9_999) }
        (item.location, item.camera) = (flag() ? location : nil, flag() ? camera : nil)
        item.colors = list { _ in "#00fF7f" }
        item.stats = list { Statistic(name: $0.text(), value: Double($0.number(-1_000_000...1_000_000)) / 8) }
        item.media = list { $0.media() }
        item.rating = maybe { $0.choice(Item.Rating.self) }
        item.extra = maybe { _ in JSONText(validated: "{\"a\":1}") }
        return item
    }

    mutating func query() -> ProviderQuery {
        var query = ProviderQuery(text: text())
        (query.page, query.offset, query.limit) = (number(0...9), number(0...Int.max), number(1...200))
        query.cursor = maybe { _ in JSONText(validated: "{\"next\":2}") }
        let kinds: [ParameterValue] = [.text(text()), .number(double()), .boolean(flag()), .list([text(), text()])]
        query.parameters = list { .init($0.text(), kinds[$0.number(0...3)]) }
        query.near = maybe { _ in .init(latitude: 48, longitude: -180)! }
        query.instance = maybe { $0.url() }
        return query
    }

    mutating func request() -> ProviderRequest {
        var request = ProviderRequest(url: url())
        request.method = choice(ProviderRequest.Method.self)
        request.headers = list { $0.pair() }
        let bodies: [ProviderRequest.Body] = [.json(JSONText(validated: "1")), .form([pair()]), .text(text())]
        request.body = maybe { bodies[$0.number(0...2)] }
        request.format = choice(ProviderRequest.Format.self)
        request.usesCredentials = flag()
        request.allowedStatus = list { $0.number(100...599) }
        return request
    }

    mutating func response() -> ProviderResponse {
        let body = (0..<number(0...300)).map { _ in UInt8(truncatingIfNeeded: number(0...255)) }
        return ProviderResponse(status: number(100...599), url: url(), headers: list { $0.pair() }, body: body)
    }

    mutating func error() -> ProviderError {
        var error = errorAlone()
        error.others = list { $0.errorAlone() }
        return error
    }

    private mutating func errorAlone() -> ProviderError {
        let code = choice(ProviderError.Code.self)
        return ProviderError(
            code, provider: "", operation: maybe { $0.choice(ProviderOperation.self) },
            phase: maybe { $0.text() },
            location: maybe { SourceLocation(file: $0.text(), line: $0.number(0...9), column: $0.number(0...9)) },
            path: maybe { $0.text() }, message: text(), hint: code.limitHint)
    }

    mutating func limits() -> Limits {
        var limits = Limits()
        limits.pageSize = .init(minimum: 1, maximum: number(1...9), default: 1)
        limits.rates = list { _ in Limits.Rate("100/60s")! }
        limits.reachable = maybe { $0.number(1...9) }
        limits.concurrent = maybe { $0.number(1...9) }
        limits.resetUnit = maybe { $0.choice(Limits.ResetUnit.self) }
        return limits
    }

    mutating func manifest() -> ProviderManifest {
        var manifest = ProviderManifest(id: ProviderID("p-\(number(0...9))")!, name: text(), version: text())
        manifest.homepage = maybe { $0.url() }
        manifest.summary = maybe { $0.text() }
        manifest.deprecated = maybe { Deprecation(date: "2026-05-01", note: $0.text()) }
        manifest.base = maybe { $0.url() }
        manifest.instance = maybe { Instance(default: $0.url(), help: $0.text()) }
        manifest.hosts = list { _ in HostPattern("*.example.com")! }
        manifest.mediaHosts = list { _ in HostPattern("http://example.com:81")! }
        let placements: [AuthenticationMethod.Placement] = [
            .query([pair()]), .header([pair(), pair()]), .cookie([]), .basic(user: text(), password: text()),
            .oauth2(OAuth2Endpoints(token: url(), scope: maybe { $0.text() }, device: maybe { $0.url() })),
            .cookies(needs: [text()]), .oauth1(OAuth1Endpoints(authorize: maybe { $0.url() })), .session,
            .hmac(RequestSignature(hash: .sha1, key: text(), text: text(), encoding: .base64, query: [pair()])),
        ]
        manifest.authentication = list {
            AuthenticationMethod(
                placement: placements[$0.number(0...8)], headers: $0.list { $0.pair() }, body: $0.list { $0.pair() },
                isOptional: $0.flag(), help: $0.text(),
                limits: $0.maybe { $0.limits() })
        }
        manifest.limits = limits()
        manifest.terms.cacheAtLeast = maybe { $0.number(0...9) }
        manifest.terms.cacheAtMost = maybe { $0.number(9...99) }
        manifest.terms.notice = maybe { $0.text() }
        manifest.terms.allowsHotlinking = maybe { $0.flag() }
        manifest.paging = choice(Paging.self)
        manifest.operations = list {
            var parameter = ParameterDescription(name: $0.text(), kind: $0.choice(ParameterDescription.Kind.self))
            (parameter.values, parameter.minimum) = ($0.list { $0.text() }, $0.maybe { $0.double() })
            parameter.separator = $0.maybe { $0.text() }
            return OperationDescription(
                operation: $0.choice(ProviderOperation.self), parameters: [parameter], takesPoint: $0.flag(),
                location: SourceLocation(file: $0.text()), isGenerator: $0.flag())
        }
        manifest.matches = list { PageMatch(pattern: $0.text(), id: $0.text(), type: $0.choice(Item.Kind.self)) }
        return manifest
    }
}
