// What stands around every provider's file, and the host's hooks into it. Runs once, before any file is read.
//
// All else is read when it is first used: that takes longer than what most scripts do with it, if they use it at all.
//
// `this` is what the native side gives; the value of the last line is for the host. Not a function like the other
// parts: what is called at once would be parsed twice.
'use strict';
{
  const native = this;
  const { defineProperty, freeze, keys } = Object;
  const { isArray } = Array;
  const once = (read) => {
    let value;
    return () => (value ??= read());
  };
  const failures = new WeakMap();
  const unreadable = new WeakSet();
  const faults = once(() => native.part('faults')(failures, unreadable));
  const preview = (value) => faults().preview(value);
  const resolveURL = (reference, base) => native.parseURL(reference, base)?.href ?? null;
  const markup = once(() => native.part('document')(native.documents(), { ...native.part('selectors')(), resolveURL }));
  const documents = { document: (handle, isHTML, url) => markup().document(handle, isHTML, url) };
  const helpers = once(() => native.part('helpers')(native, once, failure, documents, preview));
  const addresses = once(() => native.part('url')(native));
  const responses = once(() => native.part('response')(native.bodies(), documents, resolveURL));
  const modules = new Map();
  const libraries = new Map();

  const log = (level) => (...values) => native.log(level, faults().line(values));
  const console = freeze({
    debug: log('debug'), log: log('info'), info: log('info'), warn: log('warning'), error: log('error'),
  });
  defineProperty(globalThis, 'console', { value: console });
  for (const name of ['URL', 'URLSearchParams']) defineProperty(globalThis, name, { get: () => addresses()[name] });

  /// An error of a kind, as `fail` throws it.
  function failure(kind, message) {
    const error = new Error(message);
    failures.set(error, kind);
    return error;
  }

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
      // As opposed to a SyntaxError that a script ran into.
      if (error instanceof SyntaxError) unreadable.add(error);
      throw error;
    }
  }

  function require(name, from) {
    if (name === 'imgscript') return helpers();
    if (libraries.has(name)) return libraries.get(name);
    if (typeof name !== 'string' || !/^\.\.?\//.test(name)) {
      throw new TypeError(`require: expected 'imgscript' or a module such as './theme', found ${preview(name)}`);
    }
    const file = native.resolve(name, from);
    if (modules.has(file)) return modules.get(file).exports;
    return load(file, native.module(file, from));
  }

  /// Gives scripts one more library to require.
  const provide = (name, library) => void libraries.set(name, library);

  const response = (handle, status, url, headerLines) => responses()(handle, status, url, headerLines);

  /// Whether there may be something that JSON would drop without a word: asked of every page, without noting the way. A
  /// loop over an iterator, or over a list of keys, takes twice as long.
  function mayBeSilent(value, left) {
    if (typeof value === 'function' || typeof value === 'symbol') return true;
    if (typeof value !== 'object' || value === null) return false;
    try {
      if (isArray(value)) {
        for (let index = 0; index < value.length; index += 1) {
          if ((left.values -= 1) < 0 || mayBeSilent(value[index], left)) return true;
        }
      } else {
        for (const key in value) if ((left.values -= 1) < 0 || mayBeSilent(value[key], left)) return true;
      }
    } catch {
      return true;
    }
    return false;
  }

  /// Where in a result stands what JSON cannot carry: `{ path, found }` as JSON, or '' when there is no such thing.
  /// With `silent` only what JSON would drop without a word: functions and symbols.
  function unwritable(value, silent) {
    return silent && !mayBeSilent(value, { values: 20000 }) ? '' : faults().unwritable(value, silent);
  }

  /// The names under which an object has functions, as JSON.
  function functionNames(value) {
    const names = [];
    for (const name of keys(value)) if (typeof value[name] === 'function') names[names.length] = name;
    return JSON.stringify(names);
  }

  const sourceOf = (value) => Function.prototype.toString.call(value);
  const describeThrown = (value) => faults().describeThrown(value);

  ({ load, response, failure, provide, describeThrown, preview, unwritable, functionNames, sourceOf });
}
