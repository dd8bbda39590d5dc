extension HostileScript {
    /// Attempts to change what all share, to compile code, or to reach what a provider has no business with.
    static let escapes: [HostileScript] = [
        .parse("Object.prototype overwritten", "Object.prototype.items = []", .script, "TypeError", at: "5:45"),
        .parse(
            "Object.prototype.toString overwritten", "Object.prototype.toString = () => 1", .script,
            "TypeError: Attempted to overwrite the built-in toString"),
        .parse("JSON.stringify overwritten", "JSON.stringify = () => '{}'", .script, "TypeError"),
        .parse("JSON overwritten", "globalThis.JSON = {}", .script, "TypeError"),
        .parse("JSON defined anew", "Object.defineProperty(globalThis, 'JSON', { value: {} })", .script, "TypeError"),
        .parse("Array.prototype overwritten", "Array.prototype.push = () => 1", .script, "TypeError"),
        .parse("Array.prototype extended", "Array.prototype[0] = 1", .script, "TypeError"),
        .parse("iteration overwritten", "Array.prototype[Symbol.iterator] = 1", .script, "TypeError"),
        .parse(
            "array iterator overwritten", "Object.getPrototypeOf([][Symbol.iterator]()).next = 1", .script, "TypeError"),
        .parse("String.prototype extended", "String.prototype.toJSON = () => 1", .script, "TypeError"),
        .parse("Map overwritten", "Map.prototype.get = () => 1", .script, "TypeError", at: "5:42"),
        .parse("WeakMap overwritten", "WeakMap.prototype.get = () => 'memory'", .script, "TypeError"),
        .parse("Math overwritten", "Math.max = () => 1", .script, "TypeError"),
        .parse("matches overwritten", "Object.getPrototypeOf(''.matchAll(/a/g)).next = 1", .script, "TypeError"),
        .parse(
            "typed arrays overwritten", "Object.getPrototypeOf(Int8Array).prototype.join = 1", .script, "TypeError"),
        .parse("Promise overwritten", "Promise.prototype.then = 1", .script, "TypeError"),
        .parse("prototype of everything set", "Object.setPrototypeOf(Object.prototype, {})", .script, "TypeError"),
        .parse("response overwritten", "response.text = 'x'", .script, "TypeError"),
        .parse("response's class overwritten", "Object.getPrototypeOf(response).text = 'x'", .script, "TypeError"),
        .parse("helpers overwritten", "helpers.fail = 1", .script, "TypeError"),
        .parse("Function", "new Function('return 1')", .script, "EvalError: eval and Function are disabled"),
        .parse("Function of a function", "(() => 1).constructor('return 1')", .script, "EvalError"),
        .parse("generator function", "(function* () {}).constructor('yield 1')", .script, "EvalError"),
        .parse("async function", "(async () => 1).constructor('return 1')", .script, "EvalError"),
        .parse("async generator function", "(async function* () {}).constructor('yield 1')", .script, "EvalError"),
        .parse("eval", "eval('1')", .script, "Error"),
        .parse("indirect eval", "(0, globalThis.eval)('1')", .script, "TypeError"),
        .parse("import", "return import('./other.js')", .result, "found a promise"),
        .parse("WebAssembly", "new WebAssembly.Module(new Uint8Array(8))", .script, "ReferenceError"),
        .parse("Atomics", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", .script, "ReferenceError"),
        .parse("setTimeout", "setTimeout(() => {}, 1)", .script, "ReferenceError"),
        .parse("fetch", "fetch('https://example.com/')", .script, "ReferenceError"),
        .parse("process", "process.env", .script, "ReferenceError"),
        .parse(
            "require of a module of Node", "load('fs')", .script,
            "expected 'imgscript' or a module such as './theme', found \"fs\""),
        .parse("require of a path", "load('/etc/passwd')", .script, "expected 'imgscript' or a module"),
        .parse("require of a folder above", "load('../../etc/passwd')", .script, "leads out of the provider's folder"),
        .parse("require of a missing module", "load('./theme')", .script, "require: theme.js is not in this pack"),
        .parse("require of something else", "load({ toString: () => './theme' })", .script, "found an object"),
    ]

    /// Files that cannot be read as a provider.
    static let brokenFiles: [HostileScript] = [
        .file("syntax error in the first line", "const = 1;", .script, "SyntaxError: Unexpected token '='", at: "1:7"),
        .file(
            "syntax error in a later line", "const a = 1;\n\nlet b = ;\n", .script, "SyntaxError: Unexpected token ';'",
            at: "3:9"),
        .file(
            "stray braces", "}); evil(); (function () {", .script,
            "SyntaxError: Unexpected token, perhaps a bracket too many", at: "1:1"),
        .file(
            "stray braces later", "module.exports = {};\n});\n(function () {", .script,
            "SyntaxError: Unexpected token, perhaps", at: "2:1"),
        .file(
            "a comment that does not end", "module.exports = {}; /*", .script,
            "SyntaxError: Multiline comment was not closed", at: "1:22"),
        .file("a template that does not end", "module.exports = `", .script, "SyntaxError"),
        .file("an ES module", "export default {};", .script, "a provider is CommonJS: module.exports"),
        .file("something only strict mode refuses", "\nwith ({}) {}", .script, "SyntaxError", at: "2:1"),
        .file(
            "an empty file", "", .result, "expected 1, the version of the contract, found undefined", path: "contract"),
        .file("throw at top level", "const a = 1;\nthrow new Error('no');", .script, "Error: no", at: "2:16"),
        .file(
            "exports that are null", "module.exports = null;", .result,
            "expected module.exports to be a provider, found null"),
        .file(
            "exports that are a string", "module.exports = 'x';", .result,
            "expected module.exports to be a provider, found \"x\""),
        .file(
            "exports that are a function", "module.exports = () => 1;", .result,
            "expected module.exports to be a provider, found a function"),
        .file(
            "exports that are an array", "module.exports = [];", .result,
            "expected module.exports to be a provider, found an array"),
        .file(
            "exports with a getter that throws", "module.exports = { get search() { throw new Error('no'); } };",
            .script, "Error: no"),
        .file(
            "exports that contain themselves", "module.exports.limits = module.exports;", .result,
            "found an object that contains itself", path: "limits"),
        .file(
            "an operation misspelt", "module.exports = { *serach(q) {} };", .result,
            "expected a field of a provider, found \"serach\"; did you mean search?", path: "serach"),
        .file(
            "exports of a file that providers require",
            "exports.request = () => 1; exports.words = () => []; exports.marks = [1]; exports.base = () => 2;",
            .result,
            "expected module.exports to be a provider with contract, id, name, version, hosts and mediaHosts, found "
                + "request, words, base and 1 more alone, as in a module that providers require"),
        .file(
            "a function that should be a value", "exports.contract = 1; exports.base = () => 2;", .result,
            "expected a value, found a function", path: "base"),
        .file(
            "an operation that is a number", "module.exports = { search: 7 };", .result,
            "expected a generator, or functions request and parse, found 7", path: "search"),
        .file(
            "an operation without parse", "module.exports = { search: { request() {} } };", .result,
            "expected functions request and parse, or run", path: "search"),
        .file(
            "recursion at top level", "const f = () => f() + 1;\nf();", .script,
            "RangeError: Maximum call stack size exceeded"),
    ]
}
