extension HostileScript {
    /// Scripts that do not end by themselves.
    static let endless: [HostileScript] = [
        .parse("endless loop", "for (;;) q.page += 1;", .timeout, at: "5:39"),
        .parse("endless loop in a function", "(function spin() { while (true) q.page++; })()", .timeout),
        .parse("loop in finally", "try { for (;;) {} } finally { for (;;) {} }", .timeout),
        .parse("loop in catch of a loop", "for (;;) { try { for (;;) {} } catch {} }", .timeout),
        .parse(
            "promise that queues itself",
            "const again = () => Promise.resolve().then(again); again(); return { items: [] };", .timeout),
        .parse(
            "catastrophic regular expression", "/^(a+)+$/.test('a'.repeat(40) + '!'); for (;;) {}", .timeout),
        .parse("nested quantifiers in a loop", "for (;;) /(x+x+)+y/.test('x'.repeat(30))", .timeout),
        .parse("getter that loops when read", "return { get items() { for (;;) {} } };", .timeout),
        .parse("toJSON that loops", "return { items: [], toJSON() { for (;;) {} } };", .timeout),
        .parse(
            "proxy that loops when read", "return new Proxy({}, { ownKeys() { for (;;) {} } });", .timeout),
        .parse(
            "proxy with endless names", "return new Proxy({}, { get: (_, name) => { for (;;) {} } });", .timeout),
        .parse(
            "thrown proxy that loops", "throw new Proxy({}, { getPrototypeOf() { for (;;) {} } });", .timeout),
        .parse(
            "thrown error with a getter that loops",
            "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { for (;;) {} } }); throw e;",
            .timeout),
        .parse("sort with a comparison that loops", "[2, 1].sort(() => { for (;;) {} })", .timeout),
        .parse(
            "sort of very much",
            "const a = Array.from({ length: 4e5 }, (_, i) => (i * 7919) % 400009); for (;;) a.sort(() => -1);",
            .timeout),
        .request("request that loops", "for (;;) q.page += 1;", .timeout, at: "4:41"),
        .generator("generator that loops", "for (;;) q.page += 1;", .timeout, at: "4:37"),
        .generator(
            "generator that loops after an answer", "yield { url: 'https://example.com/' }; for (;;) {}", .timeout),
        .generator(
            "generator whose finally loops",
            "try { yield { url: 'https://example.com/' }; throw 1 } finally { for (;;) {} }", .timeout),
        .file(
            "loop at top level", "let a = 1;\nfor (;;) {\n  a += Math.abs(a);\n}\nmodule.exports = {};", .timeout,
            at: "3:12"),
        .file("loop at top level that calls nothing", "\n\nwhile (true);\nmodule.exports = {};", .timeout),
        .file(
            "promise storm at top level", "const again = () => Promise.resolve().then(again); again();", .timeout),
        .file(
            "exports with a getter that loops", "module.exports = { get contract() { for (;;) {} } };", .timeout),
    ]
}
