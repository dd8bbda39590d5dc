// Documents and elements with the DOM's own names, over the parsed trees of the native side.
//
// The value of this file is a function of `native` and `primordials`. It returns { document(handle, isHTML, url) }, which
// makes the wrapper of a parsed document; `url` is the URL of the response, against which links are resolved.
//
// A handle is an integer. `native` has these functions, which throw an Error when the document is gone:
//   evaluate(handle, xpath) → array | string | number | boolean; in the array, in document order, a number is the handle
//                             of an element or of the document, and a string the value of any other node
//   name(handle), localName(handle) → string          namespaceURI(handle) → string | null
//   attribute(handle, name) → string | null           attributes(handle) → [name, value, name, value, …]
//   textContent(handle), innerHTML(handle), outerHTML(handle) → string
//   children(handle) → [handle, …]                    parent(handle) → handle | null
//   firstElementChild(handle), lastElementChild(handle),
//   nextElementSibling(handle), previousElementSibling(handle) → handle | null
//
// `primordials` has selectorToXPath and stringLiteral of selectors.js, and resolveURL(reference, base) → the absolute URL
// as a string, or null where it is not one.
(function (native, primordials) {
  'use strict';

  const { selectorToXPath, stringLiteral, resolveURL } = primordials;
  const TypeErrorConstructor = TypeError;
  const isArray = Array.isArray;
  const createObject = Object.create;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const slice = uncurry(String.prototype.slice);
  const indexOf = uncurry(String.prototype.indexOf);
  const toLowerCase = uncurry(String.prototype.toLowerCase);
  const toUpperCase = uncurry(String.prototype.toUpperCase);
  const mapGet = uncurry(Map.prototype.get);
  const mapSet = uncurry(Map.prototype.set);
  const defineProperty = Object.defineProperty;
  const NewMap = Map;
  const XHTML = 'http://www.w3.org/1999/xhtml';

  // Only this file can make wrappers: a script has no token to give.
  const token = createObject(null);

  function checkToken(given) {
    if (given !== token) throw new TypeErrorConstructor('Illegal constructor');
  }

  const isSpace = (c) => c === ' ' || c === '\t' || c === '\n' || c === '\r' || c === '\f';

  function splitOnSpace(text) {
    const words = [];
    let start = -1;
    for (let i = 0; i <= text.length; i += 1) {
      const inWord = i < text.length && !isSpace(text[i]);
      if (inWord && start < 0) start = i;
      if (!inWord && start >= 0) {
        words[words.length] = slice(text, start, i);
        start = -1;
      }
    }
    return words;
  }

  // data-image-id → imageId
  function dataName(attribute) {
    let name = '';
    for (let i = 5; i < attribute.length; i += 1) {
      const next = attribute[i + 1] ?? '';
      if (attribute[i] === '-' && next >= 'a' && next <= 'z') {
        name += toUpperCase(next);
        i += 1;
      } else name += attribute[i];
    }
    return name;
  }

  // What all nodes of one document share; it is the only way from a handle to its one wrapper.
  function makeContext(handle, isHTML, url) {
    const wrappers = new NewMap();
    const context = { isHTML, document: null, wrap: null, baseURL: null };

    context.wrap = (node) => {
      if (node === null || node === undefined) return null;
      if (node === handle) return context.document;
      let element = mapGet(wrappers, node);
      if (element === undefined) {
        element = new Element(token, node, context);
        mapSet(wrappers, node, element);
      }
      return element;
    };

    context.wrapAll = (nodes) => {
      const wrapped = [];
      for (let i = 0; i < nodes.length; i += 1) {
        wrapped[i] = typeof nodes[i] === 'number' ? context.wrap(nodes[i]) : nodes[i];
      }
      return wrapped;
    };

    context.select = (node, selector) => (
      context.wrapAll(native.evaluate(node, selectorToXPath(selector, isHTML, 'descendant'))));

    // XPath counts in document order whatever the axis: the last of the ancestors is the nearest.
    context.selectOne = (node, selector, axis, position) => (
      context.wrap(native.evaluate(node, `(${selectorToXPath(selector, isHTML, axis)})[${position}]`)[0]));

    context.byTagName = (node, name) => {
      const exact = stringLiteral(`${name}`);
      // SVG's names in a page keep their capitals.
      const lower = isHTML ? ` or name()=${stringLiteral(toLowerCase(`${name}`))}` : '';
      const condition = `${name}` === '*' ? '' : `[name()=${exact}${lower}]`;
      return context.wrapAll(native.evaluate(node, `descendant::*${condition}`));
    };

    context.byClassName = (node, names) => {
      let selector = '';
      const words = splitOnSpace(`${names}`);
      for (let i = 0; i < words.length; i += 1) selector += `[class~=${cssString(words[i])}]`;
      return selector === '' ? [] : context.select(node, selector);
    };

    context.xpath = (node, expression) => {
      const value = native.evaluate(node, `${expression}`);
      return isArray(value) ? context.wrapAll(value) : value;
    };

    // As in a browser, a page's first <base href> comes before its own URL.
    context.base = () => {
      if (context.baseURL === null) {
        const base = isHTML ? native.evaluate(handle, 'string((//base/@href)[1])') : '';
        context.baseURL = (base !== '' && resolveURL(base, url)) || url;
      }
      return context.baseURL;
    };
    context.resolve = (reference) => resolveURL(reference, context.base()) ?? reference;

    context.resolve = (reference) => resolveURL(reference, context.base()) ?? reference;

    return context;
  }

  function cssString(text) {
    let quoted = '"';
    for (let i = 0; i < text.length; i += 1) {
      quoted += text[i] === '"' || text[i] === '\\' ? `\\${text[i]}` : text[i];
    }
    return `${quoted}"`;
  }

  class Element {
    #handle;
    #context;

    constructor(given, handle, context) {
      checkToken(given);
      this.#handle = handle;
      this.#context = context;
    }

    get nodeType() { return 1; }
    get nodeName() { return this.tagName; }
    get tagName() {
      const name = native.name(this.#handle);
      // Those of SVG and MathML are as written, also in a page.
      return this.#context.isHTML && native.namespaceURI(this.#handle) === XHTML ? toUpperCase(name) : name;
    }
    get localName() { return native.localName(this.#handle); }
    get namespaceURI() { return native.namespaceURI(this.#handle); }
    get ownerDocument() { return this.#context.document; }
    get baseURI() { return this.#context.base(); }

    get id() { return this.getAttribute('id') ?? ''; }
    get className() { return this.getAttribute('class') ?? ''; }
    get classList() {
      const names = splitOnSpace(native.attribute(this.#handle, 'class') ?? '');
      const contains = (name) => {
        for (let i = 0; i < names.length; i += 1) if (names[i] === name) return true;
        return false;
      };
      defineProperty(names, 'contains', { __proto__: null, value: contains });
      return names;
    }
    get dataset() {
      const pairs = native.attributes(this.#handle);
      const data = createObject(null);
      for (let i = 0; i < pairs.length; i += 2) {
        if (indexOf(pairs[i], 'data-') === 0) data[dataName(pairs[i])] = pairs[i + 1];
      }
      return data;
    }

    getAttribute(name) { return native.attribute(this.#handle, `${name}`); }
    hasAttribute(name) { return native.attribute(this.#handle, `${name}`) !== null; }
    get attributes() {
      const pairs = native.attributes(this.#handle);
      const list = [];
      for (let i = 0; i < pairs.length; i += 2) list[list.length] = { name: pairs[i], value: pairs[i + 1] };
      return list;
    }

    // Absolute, as in a browser, and '' where the attribute is missing; getAttribute() has what is written.
    get href() { return this.#link('href'); }
    get src() { return this.#link('src'); }
    #link(name) {
      const written = native.attribute(this.#handle, name);
      return written === null ? '' : this.#context.resolve(written);
    }

    get textContent() { return native.textContent(this.#handle); }
    get innerText() { return native.textContent(this.#handle); }
    get innerHTML() { return native.innerHTML(this.#handle); }
    get baseURI() { return this.#context.base(); }
    get outerHTML() { return native.outerHTML(this.#handle); }

    get children() { return this.#context.wrapAll(native.children(this.#handle)); }
    get firstElementChild() { return this.#context.wrap(native.firstElementChild(this.#handle)); }
    get lastElementChild() { return this.#context.wrap(native.lastElementChild(this.#handle)); }
    get nextElementSibling() { return this.#context.wrap(native.nextElementSibling(this.#handle)); }
    get previousElementSibling() { return this.#context.wrap(native.previousElementSibling(this.#handle)); }
    get parentElement() { return this.#context.wrap(native.parent(this.#handle)); }

    querySelector(selector) { return this.#context.selectOne(this.#handle, selector, 'descendant', '1'); }
    querySelectorAll(selector) { return this.#context.select(this.#handle, selector); }
    getElementsByTagName(name) { return this.#context.byTagName(this.#handle, name); }
    getElementsByClassName(names) { return this.#context.byClassName(this.#handle, names); }
    matches(selector) { return this.#context.selectOne(this.#handle, selector, 'self', '1') !== null; }
    closest(selector) { return this.#context.selectOne(this.#handle, selector, 'ancestor-or-self', 'last()'); }
    xpath(expression) { return this.#context.xpath(this.#handle, expression); }
  }

  class Document {
    #handle;
    #context;
    #url;

    constructor(given, handle, isHTML, url) {
      checkToken(given);
      this.#handle = handle;
      this.#url = url;
      this.#context = makeContext(handle, isHTML, url);
      this.#context.document = this;
    }

    get nodeType() { return 9; }
    get nodeName() { return '#document'; }
    get URL() { return this.#url; }
    get baseURI() { return this.#context.base(); }
    get documentElement() { return this.#context.wrap(native.firstElementChild(this.#handle)); }
    get children() { return this.#context.wrapAll(native.children(this.#handle)); }
    get head() { return this.#context.isHTML ? this.querySelector('html > head') : null; }
    get body() { return this.#context.isHTML ? this.querySelector('html > body') : null; }
    get title() {
      const path = this.#context.isHTML ? 'normalize-space((//title)[1])' : "''";
      return native.evaluate(this.#handle, path);
    }
    // The DOM has null here; the text of the whole is what a script means.
    get textContent() { return native.textContent(this.#handle); }
    get outerHTML() { return native.outerHTML(this.#handle); }

    querySelector(selector) { return this.#context.selectOne(this.#handle, selector, 'descendant', '1'); }
    querySelectorAll(selector) { return this.#context.select(this.#handle, selector); }
    getElementById(id) {
      return this.#context.wrap(native.evaluate(this.#handle, `(descendant::*[@id=${stringLiteral(`${id}`)}])[1]`)[0]);
    }
    getElementsByTagName(name) { return this.#context.byTagName(this.#handle, name); }
    getElementsByClassName(names) { return this.#context.byClassName(this.#handle, names); }
    xpath(expression) { return this.#context.xpath(this.#handle, expression); }
  }

  return { document: (handle, isHTML, url) => new Document(token, handle, isHTML, url) };
})
