// What a script gets for a request it asked for. The body stays outside until one of its forms is read.
(function (native, documents, resolveURL) {
  'use strict';
  const { create, freeze } = Object;

  class Response {
    #handle;
    #headerLines;
    #headers;
    #links;
    #text;
    #json;
    #html;
    #xml;

    constructor(handle, status, url, headerLines) {
      this.#handle = handle;
      this.#headerLines = headerLines;
      this.status = status;
      this.ok = status >= 200 && status < 300;
      this.url = url;
      freeze(this);
    }

    get headers() {
      if (!this.#headers) {
        const headers = create(null);
        const lines = JSON.parse(this.#headerLines);
        for (let index = 0; index < lines.length; index += 2) {
          const name = lines[index].toLowerCase();
          headers[name] = name in headers ? `${headers[name]}, ${lines[index + 1]}` : lines[index + 1];
        }
        this.#headers = freeze(headers);
      }
      return this.#headers;
    }

    get links() {
      this.#links ??= freeze(parseLinks(this.headers.link ?? '', this.url));
      return this.#links;
    }

    get text() { return (this.#text ??= native.text(this.#handle)); }

    get json() {
      if (this.#json === undefined) this.#json = native.json(this.#handle);
      return this.#json;
    }

    get html() { return (this.#html ??= documents.document(native.html(this.#handle), true, this.url)); }

    get xml() { return (this.#xml ??= documents.document(native.xml(this.#handle), false, this.url)); }
  }

  // RFC 8288, section 3: `<url>; rel="next prev"; title="x"`, several with commas, which may also stand inside the brackets.
  function parseLinks(header, base) {
    const links = create(null);
    for (const [, target, parameters] of header.matchAll(/<([^>]*)>((?:\s*;\s*[^,;="]+(?:=(?:"(?:[^"\\]|\\.)*"|[^,;"]*))?)*)/g)) {
      const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters);
      const url = resolveURL(target, base);
      if (!relations || !url) continue;
      for (const relation of (relations[1] ?? relations[2]).toLowerCase().split(/\s+/)) links[relation] ??= url;
    }
    return links;
  }

  freeze(Response);
  freeze(Response.prototype);
  return (handle, status, url, headerLines) => new Response(handle, status, url, headerLines);
})
