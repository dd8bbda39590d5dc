import Testing

@testable import ScriptEngine

@Suite("Matchers judge as Jest's do")
struct MatchersTests {
    @Test(arguments: [
        "expect(1).toBe(1)", "expect(NaN).toBe(NaN)", "expect(0).not.toBe(-0)", "expect({}).not.toBe({})",
        "expect({ a: undefined, b: 2 }).toEqual({ b: 2 })", "expect([undefined]).toEqual([undefined])",
        "expect({ a: undefined }).not.toStrictEqual({})", "expect([, 1]).not.toStrictEqual([undefined, 1])",
        "expect([, 1]).toEqual([undefined, 1])", "class A { a = 1 } expect(new A()).toEqual({ a: 1 })",
        "class A { a = 1 } expect(new A()).not.toStrictEqual({ a: 1 })", "expect([1, 2]).not.toEqual([2, 1])",
        "expect(new Date(5)).toEqual(new Date(5))", "expect(new Date(5)).not.toEqual(new Date(6))",
        "expect(new Set([1, { a: 1 }])).toEqual(new Set([{ a: 1 }, 1]))",
        "expect(new Map([[1, 2]])).not.toEqual(new Map([[1, 3]]))",
        "expect(/a/g).toEqual(/a/g)", "expect(/a/g).not.toEqual(/a/i)", "expect([]).not.toEqual({})",
        "expect(new URL('https://a.example/x')).toEqual(new URL('https://a.example/x'))",
        "expect(new URL('https://a.example/x')).not.toEqual(new URL('https://a.example/y'))",
        "const a = { n: 1 }; a.self = a; const b = { n: 1 }; b.self = b; expect(a).toEqual(b)",
    ])
    func equalityHolds(_ body: String) throws { #expect(try TestedFile.result(of: body) == "passed") }

    @Test(arguments: [
        "expect('coffee').toMatch('off')", "expect('coffee').toMatch(/^C/i)", "expect('coffee').not.toMatch(/tea/g)",
        "expect({ a: { b: 1, c: 2 }, d: 3 }).toMatchObject({ a: { b: 1 } })",
        "expect({ a: [{ b: 1, c: 2 }] }).toMatchObject({ a: [{ b: 1 }] })",
        "expect({ a: [1, 2] }).not.toMatchObject({ a: [1] })", "expect({}).not.toMatchObject({ a: undefined })",
        "expect([1, 2]).toHaveLength(2)", "expect('abc').not.toHaveLength(2)", "expect(null).not.toHaveLength(0)",
        "expect({ a: [{ b: 1 }] }).toHaveProperty('a[0].b', 1)", "expect({ 'a.b': 1 }).toHaveProperty(['a.b'])",
        "expect({ a: undefined }).toHaveProperty('a')", "expect({ a: 1 }).not.toHaveProperty('a.b')",
        "expect([1, 2]).toContain(2)", "expect([{ a: 1 }]).not.toContain({ a: 1 })", "expect('abc').toContain('b')",
        "expect(new Set([1])).toContain(1)", "expect([{ a: 1 }]).toContainEqual({ a: 1 })",
        "expect(0).toBeDefined(); expect(undefined).toBeUndefined(); expect(null).toBeNull(); expect(null).not.toBeUndefined()",
        "expect('a').toBeTruthy(); expect('').toBeFalsy(); expect(NaN).toBeNaN(); expect([]).toBeInstanceOf(Array)",
        "expect(2).toBeGreaterThan(1); expect(2).toBeGreaterThanOrEqual(2); expect(1).toBeLessThan(2); expect(2n).toBeLessThanOrEqual(2)",
        "expect(0.1 + 0.2).toBeCloseTo(0.3)", "expect(0.1).not.toBeCloseTo(0.11, 2)",
        "expect(Infinity).toBeCloseTo(Infinity)",
        "expect(() => { throw new Error('no coffee'); }).toThrow('coffee')", "expect(() => {}).not.toThrow()",
        "expect(() => { throw new TypeError('x'); }).toThrow(TypeError)",
        "expect(() => { throw new Error('x'); }).not.toThrow(TypeError)",
        "expect(() => { throw new Error('x'); }).toThrow({ message: 'x' })",
        "expect(() => { throw 'x'; }).toThrow(/x/)",
        "expect(() => { throw new Error('rate is high'); }).not.toThrow('rate')",
        "expect({ a: 1, b: 'x' }).toEqual({ a: expect.any(Number), b: expect.stringMatching(/^x$/) })",
        "expect([1, 2, 3]).toEqual(expect.arrayContaining([3, 1]))",
        "expect([1]).toEqual(expect.not.arrayContaining([2]))",
        "expect({ a: 1, b: 2 }).toEqual(expect.objectContaining({ b: expect.anything() }))",
        "expect(null).not.toEqual(expect.anything())", "expect('abc').toEqual(expect.stringContaining('bc'))",
        "expect(() => {}).toEqual(expect.any(Function))", "expect(null).not.toEqual(expect.any(Object))",
    ])
    func expectationHolds(_ body: String) throws { #expect(try TestedFile.result(of: body) == "passed") }

    @Test(arguments: [
        ("expect(2).toBe(3)", "toBe: expected 3, found 2"),
        ("expect(2).not.toBe(2)", "not.toBe: expected anything but 2"),
        (
            "expect({ a: 1 }).toBe(Object({ a: 1 }))",
            "toBe: what was found looks the same and is not (the same contents in another object: use toEqual)"
        ),
        ("expect('a').toMatch(/b/)", "toMatch: expected a text that matches /b/, found \"a\""),
        ("expect([1]).toHaveLength(2)", "toHaveLength: expected a length of 2, found 1: [1]"),
        ("expect(5).toHaveLength(2)", "toHaveLength: expected a length of 2, found 5, which has none"),
        (
            "expect({ a: { b: 1 } }).toHaveProperty('a.c')",
            "toHaveProperty: expected a property a.c, found { \"b\": 1 } in a"
        ),
        ("expect([1]).toContain(2)", "toContain: expected 2 in it, found [1]"),
        ("expect(undefined).toBeDefined()", "toBeDefined: expected a value, found undefined"),
        ("expect(1).toBeGreaterThan(2)", "toBeGreaterThan: expected a number above 2, found 1"),
        ("expect(() => {}).toThrow('rate')", "toThrow: expected an error of kind rate, found none"),
        (
            "expect(() => { throw new Error('tea'); }).toThrow(/coffee/)",
            "toThrow: expected an error that matches /coffee/, found \"tea\""
        ),
        (
            "expect(() => { throw new Error('tea'); }).not.toThrow()",
            "not.toThrow: expected anything but an error, found \"tea\""
        ),
        ("expect(1).toThrow()", "TypeError: toThrow: expected a function: expect(() => …).toThrow(), found 1"),
        ("expect('1').toBeGreaterThan(1)", "TypeError: toBeGreaterThan: expected numbers, found \"1\""),
        ("expect(1).toMatch(1)", "TypeError: toMatch: expected a text or an expression, found 1"),
        ("expect.assertions(2); expect(1).toBe(1)", "expected 2 expectations, found 1"),
        ("expect.hasAssertions()", "expected some expectations, found none"),
    ])
    func failureSaysWhatWasExpectedAndFound(_ body: String, _ message: String) throws {
        #expect(try TestedFile.result(of: body) == message)
    }

    @Test func valuesOfSeveralLinesAreBothGivenToCompare() throws {
        let file = try TestedFile(
            "test('t', () => { expect({ b: [1], a: 'x' }).toEqual({ a: expect.any(Number), b: [1] }); });")
        let failure = try #require(file.outcome().failure)
        #expect(failure.message == "toEqual: what was found is not what was expected")
        #expect(failure.expected == "{\n  \"a\": Any<Number>,\n  \"b\": [\n    1,\n  ],\n}")
        #expect(failure.received == "{\n  \"a\": \"x\",\n  \"b\": [\n    1,\n  ],\n}")
    }

    @Test func onlyExpectedMembersAreComparedByToMatchObject() throws {
        let file = try TestedFile(
            "test('t', () => { expect({ a: 1, b: 2, c: { d: 3, e: 4 } }).toMatchObject({ a: 2, c: { d: 3 } }); });")
        #expect(file.outcome().failure?.received == "{\n  \"a\": 1,\n  \"c\": {\n    \"d\": 3,\n  },\n}")
    }

    @Test(arguments: [
        (
            "({ f() {}, d: new Date(0), u: undefined, n: -0, big: 1n, s: Symbol('x') })",
            "{\"big\": 1n, \"d\": Date 1970-01-01T00:00:00.000Z, \"f\": [Function f], \"n\": -0, \"s\": Symbol(x), \"u\": undefined}"
        ),
        ("(() => { const a = {}; a.a = a; return a; })()", "{\"a\": [Circular]}"),
        (
            "({ get a() { throw new Error('no'); }, e: new TypeError('bad') })",
            "{\"a\": [a getter that throws], \"e\": [TypeError: bad]}"
        ),
        ("new Map([['k', new Set([1])]])", "Map {\"k\" => Set {1}}"),
        ("new URL('https://a.example/')", "URL \"https://a.example/\""),
        ("new (class Cup { size = 1 })()", "Cup {\"size\": 1}"),
        ("Object.create(null)", "{}"),
    ])
    func anyValueCanBePrinted(_ value: String, _ printed: String) throws {
        let failure = try TestedFile("test('t', () => { expect(\(value)).toBe(`a\\nb`); });").outcome().failure
        let flat = failure?.received?.replacing(/\s*\n\s*/, with: " ").replacing(", }", with: "}").replacing(
            "{ ", with: "{")
        #expect(flat == printed)
    }

    @Test(arguments: [
        "new Array(1e6).fill({ a: 'x'.repeat(50) })", "'x'.repeat(1e7)",
        "(() => { let a = 1; for (let i = 0; i < 1e4; i++) a = [a]; return a; })()",
    ])
    func hugeValueIsCutShort(_ value: String) throws {
        let failure = try TestedFile("test('t', () => { expect(\(value)).toBe('a\\nb'); });").outcome().failure
        #expect((failure?.received?.count ?? 0) < 70_000)
        #expect(failure?.received?.contains("…") == true)
    }
}

@Suite("A failed comparison marks what differs")
struct ComparisonTests {
    /// Every value that a matcher stands for was marked, too.
    @Test(arguments: [
        "expect(item).toMatchObject({ id: expect.any(String), title: 'Coffee', tags: [expect.anything(), 'b'] })",
        "expect(item).toEqual({ id: expect.any(String), title: 'Coffee', tags: expect.any(Array) })",
    ])
    func valuesThatMatchAreNotMarked(_ expectation: String) throws {
        let file = try TestedFile(
            "test('t', () => { const item = { id: '1', title: 'Tea', tags: ['a', 'b'] }; \(expectation); });")
        let failure = try #require(file.outcome().failure)
        let expected = try #require(failure.expected).split(separator: "\n")
        let found = try #require(failure.received).split(separator: "\n")
        let marked = zip(expected, found).filter { $0 != $1 }.map { "\($0) \($1)" }
        #expect(
            expected.count == found.count && marked == ["  \"title\": \"Coffee\",   \"title\": \"Tea\","], "\(marked)")
    }
}
