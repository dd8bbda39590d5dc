// CSS selectors to XPath 1.0.
//
// The value of this file is a function that returns { selectorToXPath, stringLiteral }:
//   selectorToXPath(selector, isHTML, axis) → the XPath of the elements on `axis` that match; `axis` is 'descendant',
//     'self' or 'ancestor-or-self'. A selector that is not understood throws a SyntaxError.
//   stringLiteral(text) → `text` as an XPath string.
//
// A selector is read from right to left, `div > a` being an `a` whose parent is a `div`: the DOM lets the left part
// match outside the element that is searched, and no node is found twice. `$scope` is the element of `:scope`;
// preceding-of-type() and following-of-type() come from the native side.
(function () {
  'use strict';

  const SyntaxErrorConstructor = SyntaxError;
  const fromCodePoint = String.fromCodePoint;
  const toInteger = parseInt;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const charCodeAt = uncurry(String.prototype.charCodeAt);
  const slice = uncurry(String.prototype.slice);
  const indexOf = uncurry(String.prototype.indexOf);
  const toLowerCase = uncurry(String.prototype.toLowerCase);
  const join = uncurry(Array.prototype.join);
  const mapGet = uncurry(Map.prototype.get);
  const mapSet = uncurry(Map.prototype.set);
  const mapClear = uncurry(Map.prototype.clear);
  const mapSize = uncurry(Object.getOwnPropertyDescriptor(Map.prototype, 'size').get);

  const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const LOWER = 'abcdefghijklmnopqrstuvwxyz';
  const COMBINATORS = '>+~';
  const BACKWARD = { ' ': 'ancestor::', '>': 'parent::', '+': 'preceding-sibling::*[1]/self::', '~': 'preceding-sibling::' };
  const FORWARD = { ' ': 'descendant::', '>': 'child::', '+': 'following-sibling::*[1]/self::', '~': 'following-sibling::' };
  const NESTING_LIMIT = 32;
  const known = new Map();

  // Characters

  const isSpace = (c) => c === ' ' || c === '\t' || c === '\n' || c === '\r' || c === '\f';
  const isDigit = (c) => c >= '0' && c <= '9' && c.length === 1;
  const isHex = (c) => isDigit(c) || (c.length === 1 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
  const isNameStart = (c) => c.length === 1
    && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c === '_' || charCodeAt(c, 0) > 127);
  const isNamePart = (c) => isNameStart(c) || isDigit(c) || c === '-';

  // Only these names can stand in an XPath as they are.
  function isPlainName(name) {
    if (!isNameStart(name[0] ?? '')) return false;
    for (let i = 0; i < name.length; i += 1) {
      if (!isNamePart(name[i]) || charCodeAt(name, i) > 127) return false;
    }
    return true;
  }

  // ASCII only, as HTML compares; the XPath side uses translate().
  function lowerASCII(text) {
    let lowered = '';
    for (let i = 0; i < text.length; i += 1) {
      const at = indexOf(UPPER, text[i]);
      lowered += at < 0 ? text[i] : LOWER[at];
    }
    return lowered;
  }

  function stringLiteral(text) {
    if (indexOf(text, "'") < 0) return `'${text}'`;
    if (indexOf(text, '"') < 0) return `"${text}"`;
    const parts = [];
    let start = 0;
    for (let i = 0; i <= text.length; i += 1) {
      if (i < text.length && text[i] !== "'") continue;
      if (i > start) parts[parts.length] = `'${slice(text, start, i)}'`;
      if (i < text.length) parts[parts.length] = '"\'"';
      start = i + 1;
    }
    return `concat(${join(parts, ', ')})`;
  }

  // Reading

  const peek = (state) => state.text[state.at] ?? '';

  function fail(state, problem, at = state.at) {
    throw new SyntaxErrorConstructor(`selector "${state.text}", character ${at + 1}: ${problem}`);
  }

  const found = (state) => (state.at < state.text.length ? `found "${peek(state)}"` : 'found its end');

  function skipSpace(state) {
    const start = state.at;
    while (isSpace(peek(state))) state.at += 1;
    return state.at > start;
  }

  function expect(state, character) {
    if (peek(state) !== character) fail(state, `expected "${character}", ${found(state)}`);
    state.at += 1;
  }

  function readEscape(state) {
    state.at += 1;
    if (state.at >= state.text.length) fail(state, 'expected a character after "\\"');
    let digits = '';
    while (digits.length < 6 && isHex(peek(state))) {
      digits += peek(state);
      state.at += 1;
    }
    if (digits === '') {
      const code = charCodeAt(state.text, state.at);
      const length = code >= 0xd800 && code < 0xdc00 ? 2 : 1;
      state.at += length;
      return slice(state.text, state.at - length, state.at);
    }
    if (isSpace(peek(state))) state.at += 1;
    const code = toInteger(digits, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : fromCodePoint(code);
  }

  function readNameParts(state) {
    let name = '';
    for (;;) {
      const c = peek(state);
      if (c === '\\') name += readEscape(state);
      else if (isNamePart(c)) {
        name += c;
        state.at += 1;
      } else return name;
    }
  }

  function startsName(state) {
    const c = peek(state);
    const next = state.text[state.at + 1] ?? '';
    return isNameStart(c) || c === '\\' || (c === '-' && (isNameStart(next) || next === '-' || next === '\\'));
  }

  function readName(state, what) {
    if (!startsName(state)) fail(state, `expected ${what}, ${found(state)}`);
    return readNameParts(state);
  }

  function readString(state) {
    const quote = peek(state);
    let text = '';
    state.at += 1;
    while (peek(state) !== quote) {
      const c = peek(state);
      if (c === '' || c === '\n') fail(state, `expected a closing ${quote}`);
      if (c !== '\\') {
        text += c;
        state.at += 1;
      } else if (state.text[state.at + 1] === '\n') state.at += 2;
      else text += readEscape(state);
    }
    state.at += 1;
    return text;
  }

  // Returns { prefix, name }: the prefix is null where none is written, '' in `|name`, '*' in `*|name`.
  function readQualifiedName(state, what, allowsStar) {
    const readPart = () => {
      if (allowsStar && peek(state) === '*') {
        state.at += 1;
        return '*';
      }
      return readName(state, what);
    };
    // `[lang|=en]` has no prefix.
    const atBar = () => peek(state) === '|' && state.text[state.at + 1] !== '=' && state.text[state.at + 1] !== '|';
    const first = atBar() ? '' : peek(state) === '*' ? (state.at += 1, '*') : readName(state, what);
    if (!atBar()) {
      if (first === '*' && !allowsStar) fail(state, `expected "|" after "*", ${found(state)}`);
      return { prefix: null, name: first };
    }
    state.at += 1;
    return { prefix: first, name: readPart() };
  }

  // Conditions: each is an XPath that is true of the context element

  const all = (conditions) => join(conditions, ' and ');
  const any = (conditions) => (conditions.length === 1 ? conditions[0] : `(${join(conditions, ' or ')})`);
  // One predicate each: libxml2 ends a path at its first hit there, but not beside an `and`.
  const inBrackets = (conditions) => (conditions.length === 0 ? '' : `[${join(conditions, '][')}]`);

  // A node test where XPath can say it, else `*` and a condition.
  function typeTest({ prefix, name }, isHTML) {
    const wanted = isHTML ? lowerASCII(name) : name;
    const literal = stringLiteral(wanted);
    if (prefix === '') return { test: '*', conditions: [`local-name()=${literal}`, "namespace-uri()=''"] };
    if (prefix !== null && prefix !== '*') {
      if (name === '*') return { test: '*', conditions: [`starts-with(name(), ${stringLiteral(`${prefix}:`)})`] };
      return { test: '*', conditions: [`name()=${stringLiteral(`${prefix}:${wanted}`)}`] };
    }
    if (name === '*') return { test: '*', conditions: [] };
    if (indexOf(name, ':') >= 0) return { test: '*', conditions: [`name()=${literal}`] };
    if (isHTML && isPlainName(wanted)) {
      if (wanted === name) return { test: wanted, conditions: [] };
      // SVG's names in a page keep their capitals.
      return { test: '*', conditions: [`(self::${wanted} or self::${name})`] };
    }
    // Feeds have a default namespace, which an XPath name test would have to name.
    return { test: '*', conditions: [`local-name()=${literal}`] };
  }

  function attributePath({ prefix, name }, isHTML) {
    const wanted = isHTML ? lowerASCII(name) : name;
    if (!prefix && wanted !== name) return `@*[name()=${stringLiteral(wanted)} or name()=${stringLiteral(name)}]`;
    if (prefix === '*') return `@*[local-name()=${stringLiteral(wanted)}]`;
    if (prefix) return `@*[name()=${stringLiteral(`${prefix}:${wanted}`)}]`;
    return isPlainName(wanted) ? `@${wanted}` : `@*[name()=${stringLiteral(wanted)}]`;
  }

  function attributeCondition(path, operator, value) {
    const literal = stringLiteral(value);
    const hasSpace = () => {
      for (let i = 0; i < value.length; i += 1) if (isSpace(value[i])) return true;
      return value === '';
    };
    switch (operator) {
      case '=': return `${path}=${literal}`;
      case '~': return hasSpace() ? 'false()'
        : `contains(concat(' ', normalize-space(${path}), ' '), ${stringLiteral(` ${value} `)})`;
      case '|': return `(${path}=${literal} or starts-with(${path}, ${stringLiteral(`${value}-`)}))`;
      case '^': return value === '' ? 'false()' : `starts-with(${path}, ${literal})`;
      case '$': return value === '' ? 'false()'
        : `substring(${path}, string-length(${path}) - string-length(${literal}) + 1)=${literal}`;
      default: return value === '' ? 'false()' : `contains(${path}, ${literal})`;
    }
  }

  function readAttribute(state) {
    expect(state, '[');
    skipSpace(state);
    const path = attributePath(readQualifiedName(state, 'an attribute name', false), state.isHTML);
    skipSpace(state);
    if (peek(state) === ']') {
      state.at += 1;
      return path;
    }
    const operator = peek(state);
    if (indexOf('=~|^$*', operator) < 0 || operator === '') fail(state, `expected "]" or an operator, ${found(state)}`);
    state.at += 1;
    if (operator !== '=') expect(state, '=');
    skipSpace(state);
    const quote = peek(state);
    const value = quote === '"' || quote === "'" ? readString(state) : readName(state, 'a value (numbers need quotes)');
    skipSpace(state);
    const flag = peek(state) === ']' ? '' : lowerASCII(readName(state, '"]"'));
    if (flag !== '' && flag !== 'i' && flag !== 's') fail(state, `unknown flag "${flag}"`, state.at - flag.length);
    skipSpace(state);
    expect(state, ']');
    if (flag !== 'i') return attributeCondition(path, operator, value);
    // `= ''` is true of an empty attribute only, and so must translate() be.
    const folded = attributeCondition(`translate(${path}, '${UPPER}', '${LOWER}')`, operator, lowerASCII(value));
    return value === '' ? `${path} and ${folded}` : folded;
  }

  // Reads the an+b of :nth-child() and returns { a, b }.
  function readNth(state) {
    const start = state.at;
    while (peek(state) !== ')' && peek(state) !== '') state.at += 1;
    let text = '';
    let gap = false;
    for (let i = start; i < state.at; i += 1) {
      const c = toLowerCase(state.text[i]);
      // `3 4` is no number, while `2n + 1` is a formula.
      if (isSpace(c)) gap = text !== '';
      else {
        if (gap && isDigit(c) && isDigit(text[text.length - 1])) text += '?';
        text += c;
        gap = false;
      }
    }
    if (text === 'odd') return { a: 2, b: 1 };
    if (text === 'even') return { a: 2, b: 0 };
    const integer = (digits, missing) => {
      const unsigned = digits[0] === '+' || digits[0] === '-' ? slice(digits, 1) : digits;
      if (unsigned === '' && missing !== null) return digits === '-' ? -missing : missing;
      for (let i = 0; i < unsigned.length; i += 1) if (!isDigit(unsigned[i])) return null;
      return unsigned === '' || unsigned.length > 9 ? null : toInteger(digits, 10);
    };
    const n = indexOf(text, 'n');
    const a = n < 0 ? 0 : integer(slice(text, 0, n), 1);
    const rest = slice(text, n + 1);
    const b = n >= 0 && rest === '' ? 0 : n >= 0 && isDigit(rest[0]) ? null : integer(rest, null);
    if (a === null || b === null) fail(state, 'expected "odd", "even" or a formula such as 2n+1', start);
    return { a, b };
  }

  function nthCondition(position, { a, b }) {
    if (a === 0) return b < 1 ? 'false()' : `${position}=${b}`;
    const size = a < 0 ? -a : a;
    const conditions = [];
    if (a < 0) conditions[0] = `${position}<=${b}`;
    else if (b > 1) conditions[0] = `${position}>=${b}`;
    if (size > 1) conditions[conditions.length] = `(${position} - ${b}) mod ${size}=0`;
    return conditions.length === 0 ? 'true()' : `(${all(conditions)})`;
  }

  const POSITIONS = {
    __proto__: null,
    'nth-child': '(count(preceding-sibling::*) + 1)',
    'nth-last-child': '(count(following-sibling::*) + 1)',
    'nth-of-type': '(preceding-of-type() + 1)',
    'nth-last-of-type': '(following-of-type() + 1)',
  };
  const PLAIN = {
    __proto__: null,
    'first-child': 'not(preceding-sibling::*[1])',
    'last-child': 'not(following-sibling::*[1])',
    'only-child': 'not(preceding-sibling::*[1] or following-sibling::*[1])',
    'first-of-type': 'preceding-of-type()=0',
    'last-of-type': 'following-of-type()=0',
    'only-of-type': '(preceding-of-type()=0 and following-of-type()=0)',
    empty: 'not(*[1] or text()[1])',
    root: 'not(parent::*)',
    scope: 'count(.|$scope)=1',
  };

  function readPseudoClass(state) {
    const start = state.at;
    expect(state, ':');
    if (peek(state) === ':') fail(state, 'pseudo-elements match no element of a document', start);
    const name = lowerASCII(readName(state, 'a pseudo-class'));
    if (peek(state) !== '(') return PLAIN[name] ?? fail(state, `":${name}" is not supported`, start);
    state.at += 1;
    state.depth += 1;
    if (state.depth > NESTING_LIMIT) fail(state, 'nested too deeply', start);
    skipSpace(state);
    const condition = functionCondition(state, name, start);
    state.depth -= 1;
    skipSpace(state);
    expect(state, ')');
    return condition;
  }

  function functionCondition(state, name, start) {
    if (POSITIONS[name] !== undefined) return nthCondition(POSITIONS[name], readNth(state));
    switch (name) {
      case 'not': return `not(${any(readList(state))})`;
      case 'is':
      case 'where':
      case 'matches': return any(readList(state));
      case 'has': return any(readRelativeList(state));
      default: return fail(state, `":${name}()" is not supported`, start);
    }
  }

  // Reads what stands between two combinators and returns { test, conditions }.
  function readCompound(state) {
    const start = state.at;
    let compound = { test: '*', conditions: [] };
    if (peek(state) === '*' || peek(state) === '|' || startsName(state)) {
      compound = typeTest(readQualifiedName(state, 'an element name', true), state.isHTML);
    }
    const add = (condition) => { compound.conditions[compound.conditions.length] = condition; };
    for (;;) {
      switch (peek(state)) {
        case '#':
          state.at += 1;
          add(`@id=${stringLiteral(readNameParts(state) || fail(state, `expected an id, ${found(state)}`))}`);
          break;
        case '.':
          state.at += 1;
          add(attributeCondition('@class', '~', readName(state, 'a class name')));
          break;
        case '[': add(readAttribute(state)); break;
        case ':': add(readPseudoClass(state)); break;
        default:
          if (state.at === start) fail(state, `expected a selector, ${found(state)}`);
          return compound;
      }
    }
  }

  // Reads the combinator before the next compound, or returns '' at the end of a selector.
  function readCombinator(state) {
    const spaced = skipSpace(state);
    const c = peek(state);
    if (c === '' || c === ',' || c === ')') return '';
    if (indexOf(COMBINATORS, c) < 0) {
      return spaced ? ' ' : fail(state, `expected a combinator or ",", ${found(state)}`);
    }
    state.at += 1;
    skipSpace(state);
    return c;
  }

  // Of several ancestors or earlier siblings that fit, the nearest has all the others before it, so that it alone decides
  // what is further left. Without this a long selector would try every combination.
  function leftCondition(combinator, { test, conditions }, link, left) {
    const isNearestEnough = (combinator === ' ' && (link === '' || link === ' ')) || (combinator === '~' && link !== '+');
    const nearest = isNearestEnough ? '[1]' : '';
    return `${BACKWARD[combinator]}${test}${inBrackets(conditions)}${nearest}${left === '' ? '' : `[${left}]`}`;
  }

  function readComplex(state) {
    let compound = readCompound(state);
    let link = '';
    let left = '';
    for (let c = readCombinator(state); c !== ''; c = readCombinator(state)) {
      left = leftCondition(c, compound, link, left);
      link = c;
      compound = readCompound(state);
    }
    if (left !== '') compound.conditions[compound.conditions.length] = left;
    return compound;
  }

  // The selectors of :has() start at the element and are read forwards.
  function readRelative(state) {
    const c = indexOf(COMBINATORS, peek(state)) >= 0 && peek(state) !== '' ? readCombinator(state) : ' ';
    const steps = [];
    for (let next = c; next !== ''; next = readCombinator(state)) {
      const { test, conditions } = readCompound(state);
      steps[steps.length] = `${FORWARD[next]}${test}${inBrackets(conditions)}`;
    }
    return join(steps, '/');
  }

  function readSeparated(state, read) {
    const items = [];
    do {
      if (items.length > 0) state.at += 1;
      skipSpace(state);
      items[items.length] = read(state);
    } while (peek(state) === ',');
    return items;
  }

  const readRelativeList = (state) => readSeparated(state, readRelative);

  function readList(state) {
    return readSeparated(state, (inner) => asCondition(readComplex(inner)));
  }

  function asCondition({ test, conditions }) {
    const type = test === '*' ? '' : `self::${test}`;
    if (conditions.length === 0) return type || 'true()';
    return type === '' ? all(conditions) : `${type} and ${all(conditions)}`;
  }

  function convert(selector, isHTML, axis) {
    const state = { text: selector, at: 0, isHTML, depth: 0 };
    const choices = readSeparated(state, readComplex);
    if (state.at < selector.length) fail(state, `expected the end, ${found(state)}`);
    if (choices.length === 1) return `${axis}::${choices[0].test}${inBrackets(choices[0].conditions)}`;
    const conditions = [];
    for (let i = 0; i < choices.length; i += 1) conditions[i] = asCondition(choices[i]);
    return `${axis}::*[${join(conditions, ' or ')}]`;
  }

  function selectorToXPath(selector, isHTML, axis) {
    const text = `${selector}`;
    const key = `${isHTML ? 'h' : 'x'}${axis} ${text}`;
    const cached = mapGet(known, key);
    if (cached !== undefined) return cached;
    const xpath = convert(text, isHTML, axis);
    if (mapSize(known) >= 500) mapClear(known);
    mapSet(known, key, xpath);
    return xpath;
  }

  return { selectorToXPath, stringLiteral };
})
