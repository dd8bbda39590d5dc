extension HostileScript {
    /// Results that are not what the contract says.
    static let wrongResults: [HostileScript] = [
        .result("undefined", "undefined", "expected a result, found undefined"),
        .result("null", "null", "expected a page: an object with items, found null"),
        .result("a number", "7", "expected a page: an object with items, found 7"),
        .result("a string", "'[]'", "found \"[]\""),
        .result("an array", "[]", "found an array"),
        .result("a function", "() => 1", "expected a result, found a function"),
        .result("a symbol", "Symbol('x')", "found a symbol"),
        .result("a BigInt", "7n", "found a BigInt"),
        .result(
            "a promise", "Promise.resolve({ items: [] })", "found a promise; yield requests in a generator instead"),
        .result("no items", "{}", "expected an array of items, found undefined", path: "items"),
        .result(
            "items of another kind", "{ items: 'none' }", "expected an array of items, found \"none\"", path: "items"),
        .result(
            "a million items", "{ items: new Array(1e6).fill(0) }",
            "expected at most 10000 items on a page, found 1000000", path: "items"),
        .result(
            "a pretended length", "{ items: new Proxy([], { get: (a, k) => (k === 'length' ? 1e6 : 0) }) }",
            "expected an item, found 0", path: "items[0]"),
        .result(
            "unknown fields", "{ items: [], cursor: 1 }", "expected items, total, received and next, found \"cursor\"",
            path: "cursor"),
        .result("a total that is NaN", "{ items: [], total: NaN }", "found NaN", path: "total"),
        .result("a total that is Infinity", "{ items: [], total: Infinity }", "found Infinity", path: "total"),
        .result(
            "a negative total", "{ items: [], total: -1 }", "a whole number of at least 0, found -1", path: "total"),
        .result(
            "a total beyond counting", "{ items: [], total: 2 ** 53 - 1 }",
            "a whole number of at least 0, at most 4503599627370496, found 9007199254740991", path: "total"),
        .result(
            "a total without items", "{ items: [], total: 7 }", "expected items, since total is 7, found none",
            path: "items"),
        .result(
            "the same id everywhere", "{ items: [item({}), item({})] }",
            "expected unique ids, found \"1\" in every item",
            path: "items"),
        .result(
            "a cycle", "(() => { const p = { items: [] }; p.next = p; return p; })()",
            "found an object that contains itself", path: "next"),
        .result(
            "a BigInt inside", "{ items: [item({ stats: { views: 7n } })] }", "found a BigInt",
            path: "items[0].stats.views"),
        .result(
            "a function inside", "{ items: [item({ extra: { f() {} } })] }", "found a function",
            path: "items[0].extra.f"),
        .result(
            "a symbol inside", "{ items: [item({ title: Symbol('x') })] }", "found a symbol", path: "items[0].title"),
        .result(
            "a getter that throws", "{ items: [], get next() { throw new Error('no'); } }",
            "found a getter that throws", path: "next"),
        .result("toJSON that gives another thing", "{ toJSON: () => 'page' }", "expected a page: an object with items"),
        .result("toJSON that gives undefined", "{ toJSON() {} }", "expected a result"),
        .result(
            "a result too long",
            "{ items: Array.from({ length: 30 }, (_, i) => item({ id: String(i), title: 'x'.repeat(1 << 20) })) }",
            "expected at most 24 MB in a result, found 30 MB"),
        .item(
            "lone surrogate", #"title: '\ud83d'"#, "found a lone surrogate", "toWellFormed()", path: "items[0].title"),
        .item("lone surrogate in an unknown field", #"weird: ['\udc00']"#, "lone surrogate", path: "items[0].weird"),
        .item("lone surrogate in a name", #"extra: { ['\ud83d']: 1 }"#, "lone surrogate", path: "items[0].extra"),
        .item(
            "NaN", "media: [{ role: 'large', url: 'https://a.example/1', width: NaN }]", "found NaN",
            path: "items[0].media[0].width"),
        .item(
            "undefined URL", "media: [{ role: 'large' }]", "expected an absolute URL, found undefined",
            path: "items[0].media[0].url"),
    ]

    /// Exceptions in all their forms, and requests that are none.
    static let thrown: [HostileScript] = [
        .parse("an error", "null.hits", .script, "TypeError: null is not an object", at: "5:33"),
        .parse("a string", "throw 'no'", .script, "threw \"no\"; throw an Error, or call fail"),
        .parse("null", "throw null", .script, "threw null"),
        .parse("undefined", "throw undefined", .script, "threw undefined"),
        .parse(
            "an object with throwing getters",
            "throw { get message() { throw 1 }, get stack() { throw 2 }, toString() { throw 3 } }", .script,
            "threw an object"),
        .parse(
            "an error with throwing getters",
            "const e = new Error('x'); for (const k of ['message', 'stack', 'name', 'line']) Object.defineProperty(e, k, { get() { throw e } }); throw e",
            .script),
        .parse(
            "a proxy that throws", "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })", .script,
            "threw"),
        .parse(
            "a revoked proxy", "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy", .script,
            "threw"),
        .parse("an error with a long message", "throw new Error('x'.repeat(1e6))", .script, "Error: xxx"),
        .parse("an error of several lines", "throw new Error('one\\ntwo')", .script, "Error: one"),
        .parse(
            "an error with an invented stack", "const e = new Error('x'); e.stack = 'f@/etc/passwd:1:1'; throw e",
            .script, "Error: x"),
        .parse(
            "deep recursion", "const f = () => f() + 1; f()", .script, "RangeError: Maximum call stack size exceeded"),
        .parse(
            "deep recursion in toJSON", "const f = () => ({ toJSON: () => JSON.stringify(f()) }); return f()", .script,
            "RangeError: Maximum call stack size exceeded"),
        .parse(
            "a deeply nested result",
            "let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return { items: [], next: a }", .script, "RangeError"),
        .parse("toJSON that throws", "return { items: [], toJSON() { throw new Error('no') } }", .script, "Error: no"),
        .parse("fail", "require('imgscript').fail('rate', 'slow down')", .rate, "slow down"),
        .request(
            "a request that is null", "return null", .result, "expected a request: an object with a url, found null"),
        .request(
            "a request that is a string", "return 'https://example.com/'", .result, "found \"https://example.com/\""),
        .request("a request without URL", "return {}", .result, "expected a URL, found undefined", path: "url"),
        .request(
            "a relative URL without base", "return { url: '/search' }", .result, "a relative URL needs `base`",
            path: "url"),
        .request(
            "a file URL", "return { url: 'file:///etc/passwd' }", .result, "found \"file:///etc/passwd\"", path: "url"),
        .request(
            "a URL with a password", "return { url: 'https://u:p@example.com/' }", .result, "carries a user name",
            path: "url"),
        .request(
            "an unknown field", "return { url: 'https://example.com/', timeout: 1 }", .result, "found \"timeout\"",
            path: "timeout"),
        .request(
            "a method that does not exist", "return { url: 'https://example.com/', method: 'BREW' }", .result,
            "one of GET, POST", path: "method"),
        .request(
            "a header with a line break", "return { url: 'https://example.com/', headers: { a: 'b\\r\\nc: d' } }",
            .result, "on one line", path: "headers.a"),
        .request(
            "two bodies", "return { url: 'https://example.com/', json: 1, body: 'x' }", .result, "found two",
            path: "body"),
        .request(
            "two requests", "return [{ url: 'https://example.com/' }, { url: 'https://example.com/' }]", .result,
            "expected one request"),
        .request(
            "a promise of a request", "return Promise.resolve({ url: 'https://example.com/' })", .result,
            "expected a request, found a promise; providers are synchronous"),
        .generator(
            "yield of promises", "yield [1, 2].map(async () => ({ url: 'https://example.com/' }))", .result,
            "expected a request, found a promise", path: "[0]"),
        .generator("yield of a number", "yield 7", .result, "expected a request: an object with a url, found 7"),
        .generator("yield of null", "yield null", .result, "found null"),
        .generator("yield of nothing", "yield", .result, "found undefined"),
        .generator(
            "batches of no requests without end", "for (;;) yield []", .result,
            "more than 200 requests in one operation"),
        .generator(
            "yield of nested arrays", "yield [[{ url: 'https://example.com/' }]]", .result, "found an array",
            path: "[0]"),
        .generator(
            "a generator that never ends", "for (;;) yield { url: 'https://example.com/' }", .result,
            "more than 200 requests"),
        .generator(
            "too many requests at once", "yield Array.from({ length: 201 }, () => ({ url: 'https://example.com/' }))",
            .result, "more than 200 requests"),
        .generator(
            "a million requests at once", "yield new Array(1e6).fill({ url: 'https://example.com/' })", .result,
            "at most"),
        .generator(
            "an error after an answer", "const r = yield { url: 'https://example.com/' }; r.json.a.b", .script,
            "TypeError"),
        .operation(
            "an async function", "async () => ({ items: [] })", .result,
            "expected a generator (function*), found a promise"),
        .operation("an async generator", "async function* () { yield 1 }", .result, "expected a generator (function*)"),
        .operation(
            "a plain function", "() => ({ items: [] })", .result, "expected a generator (function*), found an object"),
        .operation("a next that is no function", "() => ({ next: 1 })", .result, "expected a generator (function*)"),
        .operation(
            "an iterator that gives numbers", "() => ({ next: () => 7 })", .result, "expected a generator (function*)"),
    ]
}
