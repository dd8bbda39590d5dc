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

  /// The text of HTML: a line for each paragraph, list entry and break.
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

  return { hash, encodeBase64, decodeBase64, decodeEntities, parseHTML, plainText, parseDate };
})
