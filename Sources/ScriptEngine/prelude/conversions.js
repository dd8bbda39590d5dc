// What `require('imgscript')` converts: texts, digests, entities, markup, dates. Read when a script first uses one.
(function (native, documents, preview) {
  'use strict';

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

  const encodeBase64 = (value) => native.base64Encode(text(value, 'base64.encode'));

  function decodeBase64(value) {
    const digits = text(value, 'base64.decode').replace(/[\s=]+/g, '').replace(/-/g, '+').replace(/_/g, '/');
    return native.base64Decode(digits.padEnd(Math.ceil(digits.length / 4) * 4, '='));
  }

  const decodeEntities = (value) => native.decodeEntities(text(value, 'decodeEntities'));

  const parseHTML = (value) => documents.document(native.parseHTML(text(value, 'parseHTML')), true, '');

  const hidden = /<(script|style|template)\b[^>]*>[^]*?<\/\1\s*>/gi;
  const lineEnds = /<br\b[^>]*>|<\/(?:p|div|li|h[1-6]|tr|dd|dt)>/gi;

  /// The text of HTML: a line for each paragraph, list entry and break.
  function plainText(value) {
    if (value === null || value === undefined) return undefined;
    const html = text(value, 'plainText').replace(hidden, '').replace(/[\s\u00a0]+/g, ' ').replace(lineEnds, '$&\n');
    const lines = parseHTML(html).textContent.replace(/[^\S\n]*\n[^\S\n]*/g, '\n');
    return lines.replace(/\n{3,}/g, '\n\n').trim() || undefined;
  }

  /// What is written and cannot be read is said once a value: to whoever looks, and to `imgscript test`.
  const unread = new Set();

  function parseDate(value) {
    if (value === null || value === undefined || value === '') return undefined;
    const date = typeof value === 'number' ? native.dateOfNumber(value) : native.dateOfText(text(value, 'parseDate'));
    if (date === null && unread.size < 20 && !unread.has(value)) {
      unread.add(value);
      native.warn(`parseDate: ${preview(value)} is not a date that can be known`);
    }
    return date ?? undefined;
  }

  return { hash, encodeBase64, decodeBase64, decodeEntities, parseHTML, plainText, parseDate };
})
