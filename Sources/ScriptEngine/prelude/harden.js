// Freezes what every script shares, so that one cannot change what the prelude, or its own next call, relies on.
// Overwriting a built-in is then an ordinary TypeError with file and line.
//
// To freeze a built-in, the engine has to make each of its functions, which took longer than all else at the start. So
// what nothing but a global's name leads to is frozen when that name is first read, before a script can use it.
//
// Nothing here calls a built-in that the engine itself has written in JavaScript, such as `map`: those are compiled
// when they are first called.
'use strict';
{
  const { freeze, defineProperty, getOwnPropertyNames, getPrototypeOf } = Object;

  // Not needed by a provider, and ways to block, to compile code or to watch the collector.
  for (const name of ['Atomics', 'SharedArrayBuffer', 'WebAssembly', 'FinalizationRegistry', 'WeakRef', 'eval',
    'ShadowRealm', 'gc', '$vm', '$']) {
    delete globalThis[name];
  }

  // A frozen `toString` would also forbid `object.toString = x` on everything that inherits it. An accessor that
  // defines the property on the inheriting object instead keeps ordinary code working.
  const allowOverride = (prototype, key) => {
    const value = prototype[key];
    defineProperty(prototype, key, {
      get() { return value; },
      set(replacement) {
        if (this === prototype) throw new TypeError(`Attempted to overwrite the built-in ${key}`);
        defineProperty(this, key, { value: replacement, writable: true, enumerable: true, configurable: true });
      },
      configurable: false,
    });
  };
  for (const key of ['toString', 'valueOf', 'constructor', 'toLocaleString', 'hasOwnProperty']) {
    allowOverride(Object.prototype, key);
  }
  allowOverride(Error.prototype, 'toString');
  for (const type of [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError]) {
    for (const key of ['name', 'message', 'constructor']) allowOverride(type.prototype, key);
  }

  const freezeType = (type) => {
    freeze(type);
    if (type.prototype) freeze(type.prototype);
  };

  // What no name leads to.
  for (const kind of [function* () {}, async function () {}, async function* () {}]) freezeType(getPrototypeOf(kind));
  for (const iterator of [[][Symbol.iterator](), ''[Symbol.iterator](), (function* () {})()]) {
    freeze(getPrototypeOf(iterator));
    freeze(getPrototypeOf(getPrototypeOf(iterator)));
  }

  /// Has `freezeValue` run before a property of `owner` is first read, which cannot be replaced from now on.
  const freezeWhenRead = (owner, key, freezeValue) => {
    const value = owner[key];
    let isFrozen = false;
    defineProperty(owner, key, {
      get() {
        if (!isFrozen) {
          freezeValue(value);
          // Not before: a script that runs out of time or stack in there may read the name again.
          isFrozen = true;
        }
        return value;
      },
      configurable: false,
    });
  };

  // `String.prototype.matchAll` asks its argument for this.
  freezeWhenRead(RegExp.prototype, Symbol.matchAll, (matchAll) => freeze(getPrototypeOf(matchAll.call(/a/g, ''))));

  const freezeCollection = (type) => {
    freezeType(type);
    freeze(getPrototypeOf(new type()[Symbol.iterator]()));
  };
  const freezeMembers = (object) => {
    freeze(object);
    for (const name of getOwnPropertyNames(object)) freezeType(object[name]);
  };
  const freezeView = (type) => {
    freezeType(type);
    freezeType(getPrototypeOf(type));
    freezeType(ArrayBuffer);
  };
  /// What no literal, no error and none of the other built-ins leads to, and what freezes it with all that it leads to.
  const namedOnly = {
    __proto__: null,
    Math: freezeType, Reflect: freezeType, Proxy: freezeType, Date: freezeType,
    WeakMap: freezeType, WeakSet: freezeType,
    Map: freezeCollection, Set: freezeCollection, Intl: freezeMembers, ArrayBuffer: freezeType, DataView: freezeView,
    Int8Array: freezeView, Uint8Array: freezeView, Uint8ClampedArray: freezeView, Int16Array: freezeView,
    Uint16Array: freezeView, Int32Array: freezeView, Uint32Array: freezeView, Float16Array: freezeView,
    Float32Array: freezeView, Float64Array: freezeView, BigInt64Array: freezeView, BigUint64Array: freezeView,
  };
  // What the prelude has put there looks after itself.
  const own = { __proto__: null, URL: true, URLSearchParams: true };

  for (const name of getOwnPropertyNames(globalThis)) {
    if (own[name]) continue;
    if (namedOnly[name]) {
      freezeWhenRead(globalThis, name, namedOnly[name]);
      continue;
    }
    const value = globalThis[name];
    if (typeof value === 'function') freezeType(value);
    else if (typeof value === 'object' && value !== globalThis) freeze(value);
    defineProperty(globalThis, name, { writable: false, configurable: false });
  }
}
