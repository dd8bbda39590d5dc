// Joins the parts of the prelude and gives the host its hooks. Runs once, before any provider's file is read.
(function (native, parts) {
  'use strict';
  const lock = parts.harden();
  const resolveURL = (reference, base) => native.parseURL(reference, base)?.href ?? null;
  const { defineProperty, freeze } = Object;
  // Reading a file takes longer than what most scripts do with it, if they use it at all.
  const once = (read) => {
    let value;
    return () => (value ??= read());
  };
  const markup = once(() => parts.document()(native, { ...parts.selectors()(), resolveURL }));
  const documents = { document: (handle, isHTML, url) => markup().document(handle, isHTML, url) };
  const converters = once(() => parts.conversions()(native, documents, hooks.preview));
  const license = once(() => parts.licenses()());
  const media = once(() => parts.media()());
  const addresses = once(() => parts.url()(native));
  const conversion = (name) => freeze((...values) => converters()[name](...values));
  const conversions = {
    hash: conversion('hash'), decodeEntities: conversion('decodeEntities'), parseHTML: conversion('parseHTML'),
    plainText: conversion('plainText'), parseDate: conversion('parseDate'),
    base64: freeze({ encode: conversion('encodeBase64'), decode: conversion('decodeBase64') }),
    license: freeze((value, version) => license()(value, version)),
    fileFormat: freeze((value) => media().fileFormat(value)), fit: freeze((size, frame) => media().fit(size, frame)),
  };
  const { helpers, failure, console, markUnreadable, ...hooks } = parts.helpers(native, conversions);
  const response = parts.response(native, failure, documents);
  const modules = new Map();
  const libraries = new Map([['imgscript', helpers]]);

  globalThis.console = console;
  for (const name of ['URL', 'URLSearchParams']) defineProperty(globalThis, name, { get: () => addresses()[name] });
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
