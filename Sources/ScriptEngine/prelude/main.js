// Joins the parts of the prelude and gives the host its hooks. Runs once, before any provider's file is read.
(function (native, parts) {
  'use strict';
  const lock = parts.harden();
  const resolveURL = (reference, base) => native.parseURL(reference, base)?.href ?? null;
  // Most scripts read JSON only, and what reads markup is the larger half of the prelude.
  let markup;
  const documents = {
    document(handle, isHTML, url) {
      markup ??= parts.document()(native, { ...parts.selectors()(), resolveURL });
      return markup.document(handle, isHTML, url);
    },
  };
  const { helpers, failure, console, markUnreadable, ...hooks } = parts.helpers(
    native, documents, parts.licenses(), parts.media());
  const response = parts.response(native, failure, documents);
  const { URL, URLSearchParams } = parts.url(native);
  const modules = new Map();
  const libraries = new Map([['imgscript', helpers]]);

  Object.assign(globalThis, { URL, URLSearchParams, console });
  lock();

  /// Evaluates a CommonJS file once; `compile` turns its text into a function.
  function load(file, source) {
    const module = { exports: {} };
    modules.set(file, module);
    compile(file, source).call(undefined, module.exports, (name) => require(name, file), module);
    return module.exports;
  }

  function compile(file, source) {
    try {
      return native.compile(file, source);
    } catch (error) {
      markUnreadable(error);
      throw error;
    }
  }

  function require(name, from) {
    if (libraries.has(name)) return libraries.get(name);
    if (typeof name !== 'string' || !/^\.\.?\//.test(name)) {
      throw new TypeError(`require: expected 'imgscript' or a neighbour such as './theme', found ${hooks.preview(name)}`);
    }
    const file = native.resolve(name, from);
    if (modules.has(file)) return modules.get(file).exports;
    return load(file, native.neighbour(file, from));
  }

  /// Gives scripts one more library to require.
  const provide = (name, library) => void libraries.set(name, library);

  return { load, response, failure, provide, ...hooks };
})
