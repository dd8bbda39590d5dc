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

    /// What is frozen when its name is first read, reached by every way around that; and what no name leads to.
    @Test(arguments: [
        "Object.getOwnPropertyDescriptor(globalThis, 'Map').get()", "Reflect.get(globalThis, 'Set')",
        "Object.getOwnPropertyDescriptors(globalThis).Date.get.call(null).prototype",
        "Object.create(globalThis).WeakMap.prototype", "(({ WeakSet }) => WeakSet)(globalThis).prototype",
        "Object.getPrototypeOf(new Map().entries())", "Object.getPrototypeOf(new Set().values())",
        "Object.getPrototypeOf(new Map())", "new Set().union(new Set()).constructor", "new Date().constructor",
        "new Uint8Array(1).buffer.constructor", "Object.getPrototypeOf(new Float32Array(1).buffer)",
        "Object.getPrototypeOf(BigInt64Array)", "Object.getPrototypeOf(Int16Array).prototype",
        "new DataView(new Uint8Array(1).buffer).buffer.constructor.prototype",
        "Uint8Array.from('1').constructor.prototype",
        "Intl.NumberFormat", "Intl.Collator.prototype", "new Intl.Locale('de').constructor.prototype",
        "Object.getPrototypeOf('a'.matchAll(/a/g))",
        "Object.getPrototypeOf('a'.matchAll('a'))", "Object.getPrototypeOf(/a/g[Symbol.matchAll]('a'))",
        "Object.getPrototypeOf(Object.getOwnPropertyDescriptor(RegExp.prototype, Symbol.matchAll).get().call(/a/g, 'a'))",
        "Object.getPrototypeOf([][Symbol.iterator]())", "Object.getPrototypeOf(Object.getPrototypeOf([].keys()))",
        "Object.getPrototypeOf(''[Symbol.iterator]())", "Object.getPrototypeOf((function* () {})).prototype",
        "(async () => 1)().constructor.prototype", "(async () => 1).constructor.prototype",
        "1n.constructor.prototype",
        "Symbol.iterator.constructor.prototype", "(1).constructor.prototype", "true.constructor",
        "/a/.constructor.prototype",
        "[].keys().constructor.prototype", "(() => 1).constructor.prototype", "(function* () {})().constructor",
        "(() => { try { null.x; } catch (e) { return e; } })().constructor.prototype",
        "(() => { try { new Array(-1); } catch (e) { return e; } })().constructor.prototype",
        "(() => { try { JSON.parse('{'); } catch (e) { return e; } })().constructor.prototype",
        "(() => { try { missing; } catch (e) { return e; } })().constructor.prototype",
        "(() => { try { decodeURIComponent('%'); } catch (e) { return e; } })().constructor.prototype",
        "(() => { try { (() => 1).constructor('1'); } catch (e) { return e; } })().constructor.prototype",
    ])
    func frozenWhateverTheWayToIt(_ expression: String) {
        #expect(TestEngine().json("Object.isFrozen(\(expression))") == "true")
    }

    /// At some depth the stack ends in the middle of freezing; a later reader of the name finds all of it frozen.
    @Test func freezingThatIsCutShortIsDoneAgain() {
        let engine = TestEngine()
        let frozen = engine.json(
            """
            (() => {
              const found = [];
              const dig = () => {
                try { dig(); } catch {}
                try { found.push(Intl); } catch {}
              };
              dig();
              const members = Object.getOwnPropertyNames(Intl).map((name) => Intl[name]);
              return found.length > 0 && members.every((member) => Object.isFrozen(member.prototype ?? member));
            })()
            """)
        #expect(frozen == "true")
    }

    @Test(arguments: ["Map", "Math", "Intl", "Uint8Array", "JSON", "Array"])
    func globalKeepsItsTypeAndItsPlace(_ name: String) {
        let kind = ["Math", "Intl", "JSON"].contains(name) ? "object" : "function"
        #expect(TestEngine().json("[typeof \(name), '\(name)' in globalThis]") == "[\"\(kind)\",true]")
        for change in [
            "\(name) = 1", "globalThis.\(name) = 1", "delete globalThis.\(name)",
            "Object.defineProperty(globalThis, '\(name)', { value: 1 })",
            "Object.defineProperty(globalThis, '\(name)', { get: () => 1 })",
        ] {
            #expect(TestEngine().json("(() => { \(change); })()").hasPrefix("TypeError: "), "\(change)")
        }
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

    /// An element was `{}`.
    @Test func consoleWritesElementsAsMarkup() {
        let engine = TestEngine()
        var lines: [String] = []
        engine.environment.console.output = { lines.append($1) }
        _ = engine.json(
            "(() => { const p = parseHTML('<p id=a>x</p>').querySelector('p'); console.log(p, { found: [p] }); return 0; })()"
        )
        #expect(lines == [#"<p id="a">x</p> {"found":["<p id=\"a\">x</p>"]}"#])
    }
}
