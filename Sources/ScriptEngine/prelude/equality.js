// When two values are the same, as Jest's matchers see it, and the values that stand for many: `expect.any(Number)`.
(function () {
  'use strict';
  const { is, keys, getOwnPropertySymbols, getOwnPropertyDescriptor, getPrototypeOf, freeze } = Object;
  const typeOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
  const has = (object, key) => getOwnPropertyDescriptor(object, key) !== undefined;
  const isURL = (value) => value instanceof URL;

  /// Stands for every value that `matches`.
  class Matcher {
    constructor(description, matches) {
      this.description = description;
      this.matches = matches;
      freeze(this);
    }
  }
  const isMatcher = (value) => value instanceof Matcher;

  /// Members that are undefined count as absent; types are not compared.
  const equals = (found, expected) => same(found, expected, 'loose', []);

  /// Members that are undefined count, and so do types and holes.
  const strictlyEquals = (found, expected) => same(found, expected, 'strict', []);

  /// Objects may have more members than are expected; arrays may not have more elements.
  const contains = (found, expected) => same(found, expected, 'part', []);

  function same(a, b, how, pairs) {
    if (isMatcher(b)) return b.matches(a);
    if (isMatcher(a)) return a.matches(b);
    if (is(a, b)) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const type = typeOf(b);
    // A part of an error is written as a plain object.
    if (type !== typeOf(a) && !(how === 'part' && type === 'Object' && typeOf(a) === 'Error')) return false;
    if (how === 'strict' && getPrototypeOf(a) !== getPrototypeOf(b)) return false;
    if (pairs.length > 500) throw new RangeError('these values are nested too deeply to be compared');
    if (pairs.some(([left, right]) => left === a && right === b)) return true;
    pairs.push([a, b]);
    const result = sameContents(a, b, type, how, pairs);
    pairs.pop();
    return result;
  }

  function sameContents(a, b, type, how, pairs) {
    switch (type) {
      case 'Date': return is(a.getTime(), b.getTime());
      case 'RegExp': return a.source === b.source && a.flags === b.flags;
      case 'Error': return a.name === b.name && a.message === b.message;
      case 'Number': case 'String': case 'Boolean': return is(a.valueOf(), b.valueOf());
      case 'Set': return a.size === b.size && sameSets([...a], [...b], how, pairs);
      case 'Map': return a.size === b.size && sameSets([...a], [...b], how, pairs);
      case 'Array':
        if (a.length !== b.length) return false;
        for (let index = 0; index < b.length; index += 1) {
          if (how === 'strict' && has(a, index) !== has(b, index)) return false;
          if (!same(a[index], b[index], how, pairs)) return false;
        }
        return how !== 'strict' || keys(a).length === keys(b).length;
      default:
        if (isURL(a) || isURL(b)) return isURL(a) && isURL(b) && a.href === b.href;
        return sameMembers(a, b, how, pairs);
    }
  }

  function sameMembers(a, b, how, pairs) {
    const names = (object) => [...keys(object), ...getOwnPropertySymbols(object)];
    const expected = names(b);
    if (!expected.every((name) => {
      if (how !== 'loose' && !(name in a)) return false;
      return same(a[name], b[name], how, pairs);
    })) return false;
    if (how === 'part') return true;
    return names(a).every((name) => has(b, name) || (how === 'loose' && a[name] === undefined));
  }

  function sameSets(a, b, how, pairs) {
    const left = [...b];
    return a.every((value) => {
      const index = left.findIndex((other) => same(value, other, how, pairs));
      if (index >= 0) left.splice(index, 1);
      return index >= 0;
    });
  }

  return { equals, strictlyEquals, contains, Matcher, isMatcher, isURL, typeOf };
})
