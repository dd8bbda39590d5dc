// `require('imgscript')`. Each helper reads what it needs when it is first called.
(function (native, once, failure, documents, preview) {
  'use strict';
  const { freeze } = Object;
  const kinds = ['auth', 'rate', 'notFound', 'blocked', 'unsupported', 'changed'];

  /// What a status means that stands inside an answer: the same as one outside.
  const kindsOfStatus = {
    401: 'auth', 403: 'auth', 404: 'notFound', 410: 'notFound', 421: 'rate', 429: 'rate', 451: 'blocked',
  };

  function fail(kind, message) {
    const isStatus = Number.isInteger(kind);
    const meant = isStatus ? kindsOfStatus[kind] ?? (kind >= 500 ? 'transport' : 'unsupported') : kind;
    if (!isStatus && !kinds.includes(meant)) {
      throw new TypeError(`fail: expected one of ${kinds.join(', ')}, or a status, found ${preview(kind)}`);
    }
    if (typeof message === 'object' && message && !Array.isArray(message) && !(message instanceof Error)) {
      throw new TypeError(`fail: expected a message as text, found ${preview(message)}`);
    }
    throw failure(meant, String(message ?? 'no reason given'));
  }

  const converters = once(() => native.part('conversions')(native.conversions(), documents, preview));
  const license = once(() => native.part('licenses')());
  const media = once(() => native.part('media')((reference, base) => native.parseURL(reference, base)?.href ?? null));
  const conversion = (name) => freeze((...values) => converters()[name](...values));

  return freeze({
    fail: freeze(fail), hash: conversion('hash'), decodeEntities: conversion('decodeEntities'),
    parseHTML: conversion('parseHTML'), plainText: conversion('plainText'), parseDate: conversion('parseDate'),
    base64: freeze({ encode: conversion('encodeBase64'), decode: conversion('decodeBase64') }),
    license: freeze((value, version) => license()(value, version)),
    fileFormat: freeze((value) => media().fileFormat(value)), fit: freeze((size, frame) => media().fit(size, frame)),
    largest: freeze((value, base) => media().largest(value, base)),
  });
})
