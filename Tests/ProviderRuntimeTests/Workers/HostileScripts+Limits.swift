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

extension HostileScript {
    /// Scripts that ask for more memory than there is.
    static let greedy: [HostileScript] = [
        .parse(
            "array without end", "const a = []; for (;;) a.push({ x: a.length });", .memory, "needed more than 128 MB"),
        .parse("array of numbers without end", "const a = []; for (;;) a.push(a.length + 0.5);", .memory, "128 MB"),
        .parse("string doubled", "let s = 'ab'; for (;;) s += s;", .memory, "128 MB"),
        .parse("flat strings", "const a = []; for (;;) a.push('ab'.repeat(1 << 20) + a.length);", .memory, "128 MB"),
        .parse("one huge typed array", "new Uint8Array(3e9).fill(1)", .memory, "128 MB"),
        .parse("typed arrays", "const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1));", .memory, "128 MB"),
        .parse(
            "shapes of objects",
            "const a = []; for (let i = 0; ; i++) { const o = {}; for (let j = 0; j < 40; j++) o[`p${i}_${j}`] = j; a.push(o); }",
            .memory, "128 MB"),
        .parse(
            "one object with millions of names", "const o = {}; for (let i = 0; ; i++) o[`p${i}`] = i;", .memory,
            "128 MB"),
        .parse("map without end", "const m = new Map(); for (let i = 0; ; i++) m.set(i, {});", .memory, "128 MB"),
        .parse("closures without end", "let f = () => 1; for (;;) { const g = f; f = () => g(); }", .memory, "128 MB"),
        .parse(
            "symbols and classes", "const a = []; for (let i = 0; ; i++) a.push(Symbol('x' + i), () => i, class {});",
            .memory, "128 MB"),
        .parse("array filled", "new Array(3e8).fill(1.5)", .memory, "128 MB"),
        .parse(
            "array that doubles", "let x = new Array(1e6).fill('abc'); for (;;) x = x.concat(x);", .memory, "128 MB"),
        .parse("BigInt without end", "let b = 3n; for (;;) b *= b;", .memory, "128 MB"),
        .parse("promises without end", "const a = []; for (;;) a.push(new Promise(() => {}));", .memory, "128 MB"),
        .parse(
            "memory caught and asked for again",
            "const a = []; for (;;) { try { a.push('ab'.repeat(1 << 22) + a.length); } catch { a.push({}); } }",
            .memory, "128 MB"),
        .parse(
            "result that grows while it is written",
            "const a = 'x'.repeat(1 << 20); return { items: Array.from({ length: 400 }, () => item({ title: a })) };",
            .memory, "128 MB"),
        .file("memory at top level", "const a = []; for (;;) a.push({ x: a.length });", .memory, "128 MB"),
    ]
}
