import Testing

@testable import ScriptEngine

@Suite("What scripts share cannot be changed, and ordinary code still works")
struct HardeningTests {
    @Test func everyBuiltInIsFrozen() {
        let open = TestEngine().json(
            """
            Object.getOwnPropertyNames(globalThis).filter((name) => {
              const value = globalThis[name];
              if (value === globalThis || (typeof value !== 'function' && (typeof value !== 'object' || value === null))) return false;
              return !Object.isFrozen(value) || (value.prototype && !Object.isFrozen(value.prototype));
            })
            """)
        #expect(open == "[]")
    }

    @Test func noGlobalCanBeReplaced() {
        let open = TestEngine().json(
            "Object.getOwnPropertyNames(globalThis).filter((name) => { const d = Object.getOwnPropertyDescriptor(globalThis, name); return d.writable || d.configurable; })"
        )
        #expect(open == "[]")
    }

    @Test(arguments: [
        "eval", "SharedArrayBuffer", "Atomics", "WebAssembly", "WeakRef", "FinalizationRegistry", "setTimeout", "fetch",
        "XMLHttpRequest",
        "process", "Deno", "window", "document", "gc", "$vm", "load", "readFile", "native",
    ])
    func globalIsNotThere(_ name: String) {
        #expect(TestEngine().json("typeof globalThis['\(name)']") == "\"undefined\"")
    }

    @Test(arguments: [
        ("(() => { const o = {}; o.toString = () => 'x'; return String(o); })()", "\"x\""),
        (
            "(() => { class E extends Error { constructor(m) { super(m); this.name = 'E'; } } try { throw new E('m'); } catch (e) { return `${e}`; } })()",
            "\"E: m\""
        ),
        (
            "(() => { class A { constructor() { this.constructor = 1; } valueOf() { return 7; } } return +new A(); })()",
            "7"
        ),
        ("(() => { const m = new Map([[1, 2]]); m.set(3, 4); return [...m.entries()]; })()", "[[1,2],[3,4]]"),
        ("(() => { function F() {} F.prototype.toString = () => 'f'; return `${new F()}`; })()", "\"f\""),
        ("Object.assign(Object.create(null), { toString: 1 })", "{\"toString\":1}"),
        ("(() => { const { a, ...rest } = { a: 1, hasOwnProperty: 2 }; return rest; })()", "{\"hasOwnProperty\":2}"),
        ("[3, 1, 2].toSorted().concat(Array.from('ab'))", "[1,2,3,\"a\",\"b\"]"),
        ("new Intl.NumberFormat('en').format(12345.6)", "\"12,345.6\""),
        ("new Date(0).toLocaleDateString('de', { timeZone: 'UTC' })", "\"1.1.1970\""),
        ("'ß'.localeCompare('z', 'de') < 0", "true"),
    ])
    func ordinaryCodeWorks(_ expression: String, _ json: String) {
        #expect(TestEngine().json(expression) == json)
    }

    @Test func consoleWritesWhatItIsGiven() {
        let engine = TestEngine()
        var lines: [String] = []
        engine.environment.console.output = { lines.append("\($0): \($1)") }
        _ = engine.json(
            "(console.log('a', 1, { b: [2] }, null, undefined, () => 1, new TypeError('t')), console.warn(7n), console.error('e'), 0)"
        )
        #expect(
            lines == ["info: a 1 {\"b\":[2]} null undefined a function TypeError: t", "warning: a BigInt", "error: e"])
    }
}
