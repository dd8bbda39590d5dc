// URL and URLSearchParams for http and https, in the WHATWG shapes scripts use. Parsing is the host's own, so that a
// script and the transport never read one URL in two ways.
(function (native) {
  'use strict';
  const { encodeURIComponent, decodeURIComponent, String, TypeError, Symbol } = globalThis;

  const encode = (text) => encodeURIComponent(text.toWellFormed()).replace(/%20/g, '+').replace(/[!'()~]/g,
    (character) => '%' + character.charCodeAt(0).toString(16).toUpperCase());
  const decode = (text) => {
    const spaced = text.replace(/\+/g, ' ');
    try { return decodeURIComponent(spaced); } catch { return spaced; }
  };

  let bindParams;
  class URLSearchParams {
    #pairs = [];
    #changed = () => {};

    constructor(init = '') {
      if (typeof init === 'string') {
        for (const part of init.replace(/^\?/, '').split('&')) {
          if (!part) continue;
          const at = part.indexOf('=');
          this.#pairs.push(at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]);
        }
      } else if (typeof init?.[Symbol.iterator] === 'function') {
        for (const [name, value] of init) this.#pairs.push([String(name), String(value)]);
      } else {
        for (const name of Object.keys(init)) this.#pairs.push([name, String(init[name])]);
      }
    }

    static { bindParams = (params, changed) => { params.#changed = changed; return params; }; }

    get size() { return this.#pairs.length; }
    get(name) { return this.#pairs.find((pair) => pair[0] === name)?.[1] ?? null; }
    getAll(name) { return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]); }
    has(name) { return this.#pairs.some((pair) => pair[0] === name); }
    append(name, value) { this.#pairs.push([String(name), String(value)]); this.#changed(); }
    delete(name) { this.#pairs = this.#pairs.filter((pair) => pair[0] !== name); this.#changed(); }
    set(name, value) {
      const first = this.#pairs.find((pair) => pair[0] === name);
      if (!first) return this.append(name, value);
      first[1] = String(value);
      this.#pairs = this.#pairs.filter((pair) => pair === first || pair[0] !== name);
      this.#changed();
    }
    sort() { this.#pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)); this.#changed(); }
    forEach(callback) { for (const [name, value] of this.#pairs) callback(value, name, this); }
    *entries() { for (const pair of this.#pairs) yield [pair[0], pair[1]]; }
    *keys() { for (const pair of this.#pairs) yield pair[0]; }
    *values() { for (const pair of this.#pairs) yield pair[1]; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'); }
  }

  class URL {
    #parts;
    #params;

    constructor(text, base) {
      this.#parts = native.parseURL(String(text), base === undefined ? '' : String(base));
      if (!this.#parts) throw new TypeError(`${JSON.stringify(String(text))} is not an http or https URL`);
    }

    static canParse(text, base) {
      return native.parseURL(String(text), base === undefined ? '' : String(base)) !== null;
    }

    #replace(changes) {
      const { protocol, host, pathname, search, hash } = { ...this.#parts, ...changes };
      const parts = native.parseURL(`${protocol}//${host}${pathname}${search}${hash}`, '');
      if (parts) this.#parts = parts;
    }

    get href() { return this.#parts.href; }
    set href(text) { this.#parts = new URL(text).#parts; this.#params = undefined; }
    get origin() { return `${this.#parts.protocol}//${this.#parts.host}`; }
    get protocol() { return this.#parts.protocol; }
    set protocol(text) { this.#replace({ protocol: text.replace(/:*$/, ':') }); }
    get host() { return this.#parts.host; }
    set host(text) { this.#replace({ host: String(text) }); }
    get hostname() { return this.#parts.host.replace(/:\d+$/, ''); }
    set hostname(text) { this.#replace({ host: this.port ? `${text}:${this.port}` : String(text) }); }
    get port() { return /:(\d+)$/.exec(this.#parts.host)?.[1] ?? ''; }
    set port(text) { this.#replace({ host: text === '' ? this.hostname : `${this.hostname}:${text}` }); }
    get pathname() { return this.#parts.pathname; }
    set pathname(text) { this.#replace({ pathname: String(text).replace(/^\/?/, '/') }); }
    get search() { return this.#parts.search; }
    set search(text) {
      this.#replace({ search: text ? String(text).replace(/^\??/, '?') : '' });
      this.#params = undefined;
    }
    get hash() { return this.#parts.hash; }
    set hash(text) { this.#replace({ hash: text ? String(text).replace(/^#?/, '#') : '' }); }
    get searchParams() {
      this.#params ??= bindParams(new URLSearchParams(this.#parts.search), () => {
        const query = this.#params.toString();
        this.#replace({ search: query ? `?${query}` : '' });
      });
      return this.#params;
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
  }

  for (const type of [URL, URLSearchParams]) { Object.freeze(type); Object.freeze(type.prototype); }
  return { URL, URLSearchParams };
})
