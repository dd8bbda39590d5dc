// Freezes what every script shares, so that one cannot change what the prelude, or its own next call, relies on.
// Overwriting a built-in is then an ordinary TypeError with file and line.
(function () {
  'use strict';
  const { freeze, defineProperty, getOwnPropertyNames, getOwnPropertyDescriptor, getPrototypeOf } = Object;

  // Not needed by a provider, and ways to block, to compile code or to watch the collector.
  for (const name of ['Atomics', 'SharedArrayBuffer', 'WebAssembly', 'FinalizationRegistry', 'WeakRef', 'eval',
    'ShadowRealm', 'gc', '$vm', '$']) {
    delete globalThis[name];
  }

  // A frozen `toString` would also forbid `object.toString = …` on everything that inherits it. An accessor that
  // defines the property on the inheriting object instead keeps ordinary code working.
  function allowOverride(prototype, key) {
    const descriptor = getOwnPropertyDescriptor(prototype, key);
    if (!descriptor || !('value' in descriptor)) return;
    const { value, enumerable } = descriptor;
    defineProperty(prototype, key, {
      get() { return value; },
      set(replacement) {
        if (this === prototype) throw new TypeError(`Attempted to overwrite the built-in ${key}`);
        defineProperty(this, key, { value: replacement, writable: true, enumerable: true, configurable: true });
      },
      enumerable,
      configurable: false,
    });
  }
  for (const key of ['toString', 'valueOf', 'constructor', 'toLocaleString', 'hasOwnProperty']) {
    allowOverride(Object.prototype, key);
  }
  for (const type of [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError]) {
    for (const key of ['name', 'message', 'toString', 'constructor']) allowOverride(type.prototype, key);
  }

  // What no name leads to. Loops: `map` and its kind are compiled when first called, which takes longer than all this.
  for (const kind of [function* () {}, async function () {}, async function* () {}]) {
    const type = getPrototypeOf(kind);
    freeze(type);
    if (type.prototype) freeze(type.prototype);
  }
  for (const iterator of [
    [][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ''[Symbol.iterator](),
    ''.matchAll(/a/g), (function* () {})(),
  ]) {
    const prototype = getPrototypeOf(iterator);
    freeze(prototype);
    freeze(getPrototypeOf(prototype));
  }

  const builtIns = getOwnPropertyNames(globalThis);
  for (const name of builtIns) {
    const value = globalThis[name];
    if (value === globalThis || (typeof value !== 'function' && (typeof value !== 'object' || value === null))) continue;
    freeze(value);
    if (typeof value === 'function' && value.prototype) freeze(value.prototype);
  }
  freeze(getPrototypeOf(Int8Array));
  freeze(getPrototypeOf(Int8Array).prototype);

  /// Makes a global that cannot be replaced.
  return function lock(names) {
    for (const name of names ?? getOwnPropertyNames(globalThis)) {
      const descriptor = getOwnPropertyDescriptor(globalThis, name);
      if (descriptor?.configurable) {
        defineProperty(globalThis, name, { value: globalThis[name], writable: false, configurable: false });
      }
    }
  };
})
