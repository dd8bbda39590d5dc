// How values that are not as they should be are described to the host. Read when there is the first such value.
(function (failures, unreadable) {
  'use strict';

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

  /// A proxy may throw when it is asked.
  function isError(value) {
    try { return value instanceof Error; } catch { return false; }
  }

  /// Kind, message and stack of whatever a script threw, as JSON.
  function describeThrown(value) {
    if (!isError(value)) {
      return JSON.stringify({ kind: null, message: `threw ${preview(value)}; throw an Error, or call fail`, stack: '' });
    }
    const read = (key) => {
      try { return typeof value[key] === 'string' ? value[key] : ''; } catch { return ''; }
    };
    const isOutOfMemory = value instanceof RangeError && read('message').startsWith('Out of memory');
    const kind = failures.get(value) ?? (isOutOfMemory ? 'memory' : null);
    const message = failures.has(value) ? read('message') : `${read('name') || 'Error'}: ${explained(read('message'))}`;
    // The stack of a file that cannot be parsed is that of the file that required it.
    const stack = unreadable.has(value) ? `@${read('sourceURL')}:${read('place') || `${value.line}:0`}` : read('stack');
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

  /// Whether a value is an element or a document, whose members JSON does not have.
  const isNode = (value) => typeof value === 'object' && value !== null && typeof value.outerHTML === 'string';

  /// What `console` was given, as one line; elements as their markup.
  const line = (values) => values.map((value) => {
    if (typeof value === 'string') return value;
    try {
      if (isNode(value)) return value.outerHTML;
      const readable = (key, member) => (isNode(member) ? member.outerHTML : member);
      return (value instanceof Error ? `${value.name}: ${value.message}` : JSON.stringify(value, readable)) ?? preview(value);
    } catch {
      return preview(value);
    }
  }).join(' ').slice(0, 10000);

  return { preview, describeThrown, unwritable, line };
})
