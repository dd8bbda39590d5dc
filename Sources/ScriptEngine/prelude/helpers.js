// `require('imgscript')`, and how a thrown value is described to the host.
(function (native, conversions) {
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

  /// Whether there may be something that JSON would drop without a word: asked of every page, without noting the way.
  function mayBeSilent(value, left) {
    if (typeof value === 'function' || typeof value === 'symbol') return true;
    if (typeof value !== 'object' || value === null) return false;
    try {
      for (const key of Object.keys(value)) if ((left.values -= 1) < 0 || mayBeSilent(value[key], left)) return true;
    } catch {
      return true;
    }
    return false;
  }

  /// Where in a result stands what JSON cannot carry: `{ path, found }` as JSON, or '' when there is no such thing.
  /// With `silent` only what JSON would drop without a word: functions and symbols.
  function unwritable(value, silent) {
    if (silent && !mayBeSilent(value, { values: 20000 })) return '';
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

  const helpers = freeze({ fail: freeze(fail), ...conversions });
  return { helpers, failure, console, describeThrown, markUnreadable, preview, unwritable, functionNames, sourceOf };
})
