// `require('imgscript')`, and how a thrown value is described to the host.
(function (native, documents, license, media) {
  'use strict';
  const { freeze } = Object;
  const kinds = ['auth', 'rate', 'notFound', 'blocked', 'unsupported', 'changed'];
  const failures = new WeakMap();
  const unreadable = new WeakSet();

  function failure(kind, message) {
    const error = new Error(message);
    failures.set(error, kind);
    return error;
  }

  /// What a status means that stands inside an answer: the same as one outside.
  const kindsOfStatus = { 401: 'auth', 403: 'auth', 404: 'notFound', 410: 'notFound', 429: 'rate', 451: 'blocked' };

  function fail(kind, message) {
    const meant = typeof kind === 'number' ? kindsOfStatus[kind] ?? 'unsupported' : kind;
    if (!kinds.includes(meant)) {
      throw new TypeError(`fail: expected one of ${kinds.join(', ')}, or a status, found ${preview(kind)}`);
    }
    throw failure(meant, String(message ?? 'no reason given'));
  }

  function text(value, where) {
    if (typeof value !== 'string') throw new TypeError(`${where}: expected a string, found ${preview(value)}`);
    return value;
  }

  function hash(algorithm, value, options = {}) {
    if (!['md5', 'sha1', 'sha256'].includes(algorithm)) {
      throw new TypeError(`hash: expected md5, sha1 or sha256, found ${preview(algorithm)}`);
    }
    const hex = native.hash(algorithm, text(value, 'hash'), options.key === undefined ? null : text(options.key, 'hash'));
    return options.encoding === 'base64' ? native.base64FromHex(hex) : hex;
  }

  const base64 = freeze({
    encode: (value) => native.base64Encode(text(value, 'base64.encode')),
    decode: (value) => {
      const digits = text(value, 'base64.decode').replace(/[\s=]+/g, '').replace(/-/g, '+').replace(/_/g, '/');
      return native.base64Decode(digits.padEnd(Math.ceil(digits.length / 4) * 4, '='));
    },
  });

  function decodeEntities(value) {
    return text(value, 'decodeEntities').replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));/gi,
      (whole, decimal, hexadecimal, name) => {
        const code = name ? native.entity(name) : decimal ? parseInt(decimal, 10) : parseInt(hexadecimal, 16);
        const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
        return isCharacter ? String.fromCodePoint(code) : whole;
      });
  }

  const parseHTML = (value) => documents.document(native.parseHTML(text(value, 'parseHTML')), true, '');

  const hidden = /<(script|style|template)\b[^>]*>[^]*?<\/\1\s*>/gi;
  const lineEnds = /<br\b[^>]*>|<\/(?:p|div|li|h[1-6]|tr|dd|dt)>/gi;

  /// HTML as people read it: a line for each paragraph, list entry and break.
  function plainText(value) {
    if (value === null || value === undefined) return undefined;
    const html = text(value, 'plainText').replace(hidden, '').replace(/[\s\u00a0]+/g, ' ').replace(lineEnds, '$&\n');
    const lines = parseHTML(html).textContent.replace(/[^\S\n]*\n[^\S\n]*/g, '\n');
    return lines.replace(/\n{3,}/g, '\n\n').trim() || undefined;
  }

  const iso = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?)?)?$/i;

  // `Wed Sep 20 10:31:15 -0500 2017`, as Ruby and asctime have it.
  const stamp = /^[a-z]{3} ([a-z]{3} +\d{1,2}) (\d\d:\d\d:\d\d) ([+-]\d{4}|UTC|GMT) (\d{4})$/i;

  function parseDate(value) {
    if (value === null || value === undefined || value === '') return undefined;
    if (typeof value === 'number' || /^\d{9,13}$/.test(value)) {
      const date = new Date(Number(value) * (Number(value) < 1e11 ? 1000 : 1));
      return isNaN(date) ? undefined : date.toISOString().replace('.000Z', 'Z');
    }
    const match = iso.exec(text(value, 'parseDate').trim());
    if (match) {
      const [, year, month, day, time, zone] = match;
      if (month === '00') return year;
      if (day === '00') return `${year}-${month}`;
      const plain = [year, month, day].filter(Boolean).join('-');
      if (isNaN(Date.parse(plain))) return undefined;
      return time ? `${plain}T${time}${!zone ? '' : /[a-z]/i.test(zone) ? 'Z' : zone}` : plain;
    }
    const [, day, clock, offset, lastYear] = stamp.exec(value) ?? [];
    if (lastYear) return parseDate(`${day} ${lastYear} ${clock} ${offset}`);
    // RFC 2822 and its relatives name a zone; without one there is nothing to go by.
    if (!/(?:GMT|UTC?|[ECMP][SD]T|[+-]\d\d:?\d\d|Z)\s*(?:\(.*\))?$/.test(value)) return undefined;
    const date = new Date(value);
    return isNaN(date) ? undefined : date.toISOString().replace('.000Z', 'Z');
  }

  /// A value as one short phrase for an error message; runs none of the value's own code.
  function preview(value) {
    try { return phrase(value); } catch { return 'an object'; }
  }

  function phrase(value) {
    switch (typeof value) {
      case 'string': return value.length > 60 ? `${JSON.stringify(value.slice(0, 60))}…` : JSON.stringify(value);
      case 'bigint': return 'a BigInt';
      case 'function': return 'a function';
      case 'symbol': return 'a symbol';
      case 'object':
        if (value === null) return 'null';
        if (Array.isArray(value)) return 'an array';
        if (value instanceof Promise) return 'a promise';
        return 'an object';
      default: return String(value);
    }
  }

  /// Kind, message and stack of whatever a script threw, as JSON.
  function describeThrown(value) {
    if (!(value instanceof Error)) {
      return JSON.stringify({ kind: null, message: `threw ${preview(value)}; throw an Error, or call fail`, stack: '' });
    }
    const read = (key) => {
      try { return typeof value[key] === 'string' ? value[key] : ''; } catch { return ''; }
    };
    const isOutOfMemory = value instanceof RangeError && read('message').startsWith('Out of memory');
    const kind = failures.get(value) ?? (isOutOfMemory ? 'memory' : null);
    const message = failures.has(value) ? read('message') : `${read('name') || 'Error'}: ${explained(read('message'))}`;
    // Of a file that cannot be read the engine knows the line only, and its stack is that of whoever wanted the file.
    const stack = unreadable.has(value) ? `@${read('sourceURL')}:${value.line}:0` : read('stack');
    // A stack overflow's stack is as deep as the stack was: only its top is wanted.
    return JSON.stringify({ kind, message: oneLine(message).slice(0, 1000), stack: stack.slice(0, 8000) });
  }

  const oneLine = (text) => text.slice(0, 4000).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

  /// The engine's few words, where they do not help.
  function explained(message) {
    if (message === 'Parser error') return 'Unexpected token, perhaps a bracket too many';
    if (/^Unexpected (keyword|token) '(export|import)'/.test(message)) return `${message}; a provider is CommonJS: module.exports = { … }`;
    return message;
  }

  /// Notes a SyntaxError of a file, as opposed to one that a script ran into.
  function markUnreadable(error) {
    if (error instanceof SyntaxError) unreadable.add(error);
  }

  /// Where in a result stands what JSON cannot carry: `{ path, found }` as JSON, or '' when there is no such thing.
  /// With `silent` only what JSON would drop without a word: functions and symbols.
  function unwritable(value, silent) {
    const ancestors = [];
    let budget = 20000;
    const search = (value, path) => {
      if ((budget -= 1) < 0) return null;
      if (silent && (typeof value === 'function' || typeof value === 'symbol')) return { path, found: preview(value) };
      if (!silent && typeof value === 'bigint') return { path, found: preview(value) };
      if (typeof value !== 'object' || value === null) return null;
      if (ancestors.includes(value)) return silent ? null : { path, found: 'an object that contains itself' };
      if (ancestors.length > 60) return null;
      ancestors.push(value);
      for (const key of Object.keys(value)) {
        let member;
        const step = [...path, Array.isArray(value) ? Number(key) : key];
        try { member = value[key]; } catch { return silent ? null : { path: step, found: 'a getter that throws' }; }
        const place = search(member, step);
        if (place) return place;
      }
      ancestors.pop();
      return null;
    };
    const place = search(value, []);
    return place ? JSON.stringify(place) : '';
  }

  /// The names under which an object has functions, as JSON.
  const functionNames = (value) => JSON.stringify(Object.keys(value).filter((key) => typeof value[key] === 'function'));

  const sourceOf = (value) => Function.prototype.toString.call(value);

  const line = (values) => values.map((value) => {
    if (typeof value === 'string') return value;
    try {
      return (value instanceof Error ? `${value.name}: ${value.message}` : JSON.stringify(value)) ?? preview(value);
    } catch {
      return preview(value);
    }
  }).join(' ').slice(0, 10000);
  const console = freeze({
    debug: (...values) => native.log('debug', line(values)),
    log: (...values) => native.log('info', line(values)),
    info: (...values) => native.log('info', line(values)),
    warn: (...values) => native.log('warning', line(values)),
    error: (...values) => native.log('error', line(values)),
  });

  const helpers = freeze({
    fail: freeze(fail), hash: freeze(hash), base64, decodeEntities, parseHTML, plainText, parseDate, license, ...media,
  });
  return { helpers, failure, console, describeThrown, markUnreadable, preview, unwritable, functionNames, sourceOf };
})
