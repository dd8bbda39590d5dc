// `expect(value)` and its matchers. A matcher that fails throws an error whose two values the host compares.
(function (equality, printing, kinds, session) {
  'use strict';
  const { equals, strictlyEquals, contains, Matcher, typeOf } = equality;
  const { print, inline } = printing;
  const { freeze } = Object;
  const failures = new WeakMap();

  /// Fails the test: what was expected, and the two values where they are worth a comparison.
  function fail(message, expected, received) {
    const error = new Error(message);
    error.name = 'ExpectationError';
    failures.set(error, { expected, received });
    throw error;
  }

  /// Each gives whether it passes, what was expected and what was found, or in `compare` the two values themselves.
  const matchers = {
    toBe: (value, expected) => ({
      pass: Object.is(value, expected), compare: [expected, value],
      hint: equals(value, expected) ? 'the same contents in another object: use toEqual' : undefined,
    }),
    toEqual: (value, expected) => ({ pass: equals(value, expected), compare: [expected, value] }),
    toStrictEqual: (value, expected) => ({
      pass: strictlyEquals(value, expected), compare: [expected, value],
      hint: equals(value, expected) ? 'they differ in types, holes or undefined members' : undefined,
    }),
    toMatchObject: (value, expected) => {
      if (typeof expected !== 'object' || expected === null) wrong('toMatchObject', 'an object', expected);
      const pass = typeof value === 'object' && value !== null && contains(value, expected);
      const compare = [expected, pass ? value : part(value, expected)];
      return { pass, expected: `an object with ${inline(expected)}`, compare };
    },
    toMatch: (value, expected) => {
      if (typeof expected !== 'string' && typeOf(expected) !== 'RegExp') {
        wrong('toMatch', 'a text or an expression', expected);
      }
      const pass = typeof value === 'string' && matchesText(value, expected);
      return { pass, expected: `a text that matches ${inline(expected)}`, found: inline(value, 400) };
    },
    toHaveLength: (value, expected) => {
      if (typeof expected !== 'number') wrong('toHaveLength', 'a number', expected);
      const length = value?.length;
      const found = typeof length === 'number' ? `${length}: ${inline(value)}` : `${inline(value)}, which has none`;
      return { pass: length === expected, expected: `a length of ${expected}`, found };
    },
    toHaveProperty: (value, path, ...rest) => property(value, path, rest),
    toContain: (value, expected) => {
      const isText = typeof value === 'string';
      const pass = isText ? value.includes(String(expected)) : list('toContain', value).includes(expected);
      return { pass, expected: `${inline(expected)} in it`, found: inline(value, 400) };
    },
    toContainEqual: (value, expected) => ({
      pass: list('toContainEqual', value).some((element) => equals(element, expected)),
      expected: `an element like ${inline(expected)}`, found: inline(value, 400),
    }),
    toBeDefined: (value) => ({ pass: value !== undefined, expected: 'a value', found: 'undefined' }),
    toBeUndefined: (value) => ({ pass: value === undefined, expected: 'undefined', found: inline(value) }),
    toBeNull: (value) => ({ pass: value === null, expected: 'null', found: inline(value) }),
    toBeTruthy: (value) => ({ pass: Boolean(value), expected: 'something true', found: inline(value) }),
    toBeFalsy: (value) => ({ pass: !value, expected: 'something false', found: inline(value) }),
    toBeNaN: (value) => ({ pass: Number.isNaN(value), expected: 'NaN', found: inline(value) }),
    toBeInstanceOf: (value, type) => {
      if (typeof type !== 'function') wrong('toBeInstanceOf', 'a class', type);
      return { pass: value instanceof type, expected: `an instance of ${type.name}`, found: inline(value) };
    },
    toBeGreaterThan: (value, bound) => order('toBeGreaterThan', value, bound, 'above', (a, b) => a > b),
    toBeGreaterThanOrEqual: (value, bound) => (
      order('toBeGreaterThanOrEqual', value, bound, 'of at least', (a, b) => a >= b)),
    toBeLessThan: (value, bound) => order('toBeLessThan', value, bound, 'below', (a, b) => a < b),
    toBeLessThanOrEqual: (value, bound) => order('toBeLessThanOrEqual', value, bound, 'of at most', (a, b) => a <= b),
    toBeCloseTo: (value, expected, digits = 2) => {
      const near = (a, b) => a === b || Math.abs(a - b) < 10 ** -digits / 2;
      return order('toBeCloseTo', value, expected, `within ${digits} digits of`, near);
    },
    toThrow: (value, expected) => thrown(value, expected),
    toMatchSnapshot: (value, hint) => session.snapshot(value, hint, print),
  };

  function property(value, path, rest) {
    const steps = Array.isArray(path) ? path : String(path).match(/[^.[\]]+/g) ?? [];
    let current = value;
    for (const [index, step] of steps.entries()) {
      if (current === null || current === undefined || !(step in Object(current))) {
        const known = index ? ` in ${steps.slice(0, index).join('.')}` : '';
        return { pass: false, expected: `a property ${steps.join('.')}`, found: `${inline(current)}${known}` };
      }
      current = current[step];
    }
    if (!rest.length) return { pass: true, expected: `a property ${steps.join('.')}` };
    const [wanted] = rest;
    const words = `${steps.join('.')} to be ${inline(wanted)}`;
    return { pass: equals(current, wanted), expected: words, compare: [wanted, current] };
  }

  function order(name, value, bound, words, holds) {
    for (const number of [value, bound]) {
      if (typeof number !== 'number' && typeof number !== 'bigint') wrong(name, 'numbers', number);
    }
    return { pass: holds(value, bound), expected: `a number ${words} ${inline(bound)}`, found: inline(value) };
  }

  /// A kind, a part of the message, an expression for it, a class, or an object with some of the error's members.
  function thrown(value, expected) {
    if (typeof value !== 'function') wrong('toThrow', 'a function: expect(() => …).toThrow()', value);
    let error;
    try { value(); } catch (caught) { error = { caught }; }
    const wanted = expected === undefined ? 'an error' : `an error ${describeWanted(expected)}`;
    if (!error) return { pass: false, expected: wanted, found: 'none' };
    const { caught } = error;
    const kind = caught?.kind ? `${caught.kind} error ` : '';
    const message = String(caught?.message ?? caught).slice(0, 400);
    return { pass: isWanted(caught, expected), expected: wanted, found: `${kind}"${message}"` };
  }

  function isWanted(error, expected) {
    const message = String(error?.message ?? error);
    if (expected === undefined) return true;
    if (kinds.includes(expected)) return error?.kind === expected;
    if (typeof expected === 'string') return message.includes(expected);
    if (typeOf(expected) === 'RegExp') return matchesText(message, expected);
    if (typeof expected === 'function') return error instanceof expected;
    if (typeOf(expected) === 'Error') return message === expected.message;
    return contains(error, expected);
  }

  function describeWanted(expected) {
    if (kinds.includes(expected)) return `of kind ${expected}`;
    return `that matches ${typeof expected === 'function' ? expected.name : inline(expected)}`;
  }

  /// Without the flags that make an expression remember where it was.
  function matchesText(text, expected) {
    if (typeof expected === 'string') return text.includes(expected);
    return new RegExp(expected.source, expected.flags.replace(/[gy]/g, '')).test(text);
  }

  function list(name, value) {
    if (typeof value?.[Symbol.iterator] !== 'function') wrong(name, 'a list', value);
    return [...value];
  }

  /// Of what was found only the members that are expected, so that the comparison shows what matters.
  function part(found, expected) {
    if (typeof found !== 'object' || found === null || expected instanceof Matcher) return found;
    if (Array.isArray(found)) {
      if (!Array.isArray(expected)) return found;
      return found.map((element, index) => (index < expected.length ? part(element, expected[index]) : element));
    }
    if (typeof expected !== 'object' || expected === null || typeOf(found) !== 'Object') return found;
    const known = Object.keys(expected).filter((name) => name in found);
    return Object.fromEntries(known.map((name) => [name, part(found[name], expected[name])]));
  }

  /// What was expected, with what was found wherever that is right: the comparison marks only what differs.
  function aligned(expected, found, depth = 0) {
    if (expected === found || depth > 60) return expected;
    if (expected instanceof Matcher) return expected.matches(found) ? found : expected;
    if (typeof expected !== 'object' || expected === null || typeof found !== 'object' || found === null) return expected;
    if (Array.isArray(expected) && Array.isArray(found)) {
      return expected.map((element, index) => (index < found.length ? aligned(element, found[index], depth + 1) : element));
    }
    if (typeOf(expected) !== 'Object' || typeOf(found) !== 'Object') return expected;
    const members = Object.entries(expected).map(([name, value]) => [name, name in found ? aligned(value, found[name], depth + 1) : value]);
    return Object.fromEntries(members);
  }

  function wrong(name, expected, found) {
    throw new TypeError(`${name}: expected ${expected}, found ${inline(found)}`);
  }

  function judge(name, isNot, value, rest) {
    session.count();
    const { pass, expected, found, compare, hint } = matchers[name](value, ...rest);
    if (pass !== isNot) return;
    const title = isNot ? `not.${name}` : name;
    const wanted = expected ?? inline(compare[0], 200);
    if (isNot) fail(`${title}: expected anything but ${wanted}${found === undefined ? '' : `, found ${found}`}`);
    const more = hint === undefined ? '' : ` (${hint})`;
    const texts = compare ? [aligned(...compare), compare[1]].map(lines) : [];
    if (texts.length && texts[0] === texts[1]) fail(`${title}: what was found looks the same and is not${more}`);
    if (texts.some((text) => text.includes('\n') || text.length > 200)) {
      fail(`${title}: what was found is not what was expected${more}`, ...texts);
    }
    fail(`${title}: expected ${wanted}, found ${found ?? texts[1]}${more}`);
  }

  /// A text with several lines as it is, anything else as it is printed.
  const lines = (value) => (typeof value === 'string' && value.includes('\n') ? value.slice(0, 60_000) : print(value));

  /// What `expect(value)` gives: every matcher as a method.
  class Expectation {
    #value;
    #isNot;

    constructor(value, isNot) {
      this.#value = value;
      this.#isNot = isNot;
      freeze(this);
    }

    get not() { return new Expectation(this.#value, !this.#isNot); }

    static {
      for (const name of Object.keys(matchers)) {
        const value = function (...rest) { judge(name, this.#isNot, this.#value, rest); };
        Object.defineProperty(this.prototype, name, { value });
      }
      freeze(this.prototype);
    }
  }

  const expect = (value) => new Expectation(value, false);

  const primitives = new Map([[String, 'string'], [Number, 'number'], [Boolean, 'boolean'], [BigInt, 'bigint'],
    [Symbol, 'symbol'], [Function, 'function']]);
  const some = {
    anything: () => new Matcher('Anything', (value) => value !== null && value !== undefined),
    any: (type) => {
      if (typeof type !== 'function') wrong('expect.any', 'a class such as Number', type);
      const primitive = primitives.get(type);
      const isAny = (value) => (primitive && typeof value === primitive)
        || (type === Object ? typeof value === 'object' && value !== null : value instanceof type);
      return new Matcher(`Any<${type.name}>`, isAny);
    },
  };
  const several = {
    objectContaining: (expected) => [`ObjectContaining ${inline(expected)}`,
      (value) => typeof value === 'object' && value !== null && contains(value, expected)],
    arrayContaining: (expected) => [`ArrayContaining ${inline(expected)}`,
      (value) => Array.isArray(value) && expected.every((element) => value.some((other) => equals(other, element)))],
    stringMatching: (expected) => [`StringMatching ${inline(expected)}`,
      (value) => typeof value === 'string' && matchesText(value, expected)],
    stringContaining: (expected) => [`StringContaining ${inline(expected)}`,
      (value) => typeof value === 'string' && value.includes(expected)],
  };
  const not = {};
  for (const [name, make] of Object.entries(several)) {
    some[name] = (expected) => new Matcher(...make(expected));
    not[name] = (expected) => {
      const [description, matches] = make(expected);
      return new Matcher(`Not ${description}`, (value) => !matches(value));
    };
  }
  Object.assign(expect, some, {
    not: freeze(not),
    assertions: (count) => session.plan(count),
    hasAssertions: () => session.plan(null),
  });

  return { expect: freeze(expect), failures, fail };
})
