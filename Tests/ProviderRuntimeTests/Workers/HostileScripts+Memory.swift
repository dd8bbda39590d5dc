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
