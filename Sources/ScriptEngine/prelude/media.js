// `fileFormat`, `fit` and `largest` of `require('imgscript')`: what most sources leave to be worked out about a file.
(function (resolveURL) {
  'use strict';
  const { freeze } = Object;

  const names = { jpg: 'jpeg', jpe: 'jpeg', jfif: 'jpeg', pjpeg: 'jpeg', tif: 'tiff', svgz: 'svg', icon: 'ico' };
  const known = new Set(['jpeg', 'png', 'gif', 'webp', 'avif', 'heic', 'heif', 'jxl', 'tiff', 'bmp', 'svg', 'jp2', 'ico',
    'psd', 'eps', 'pdf', 'djvu', 'mp4', 'webm']);
  const plain = (word) => names[word] ?? word;

  /// `jpeg` for `image/jpeg`, `https://example.com/a.JPG?w=2`, `a.jpg`, `.jpg`; undefined where no format is named.
  function fileFormat(value) {
    if (typeof value !== 'string') return undefined;
    const text = value.trim().toLowerCase();
    const [, type] = /^(?:image|video|application)\/(?:x-|vnd\.)?([\w-]+)(?:\+xml)?(?:\s*;.*)?$/.exec(text) ?? [];
    if (type) return plain(type);
    const name = text.replace(/[?#].*$/s, '').replace(/^[a-z]+:\/\/[^/]*/, '').split('/').pop();
    const ending = plain(name.split('.').pop());
    return known.has(ending) ? ending : undefined;
  }

  /// The size of a picture within a frame: shapes stay, nothing grows. No sides where the size is not known.
  function fit(size, frame) {
    const [width, height] = [Number(size?.width), Number(size?.height)];
    if (!(width > 0 && height > 0)) return {};
    const scale = Math.min(1, (frame.width ?? Infinity) / width, (frame.height ?? Infinity) / height);
    const side = (length) => Math.max(1, Math.round(length * scale));
    return { width: side(width), height: side(height) };
  }

  const space = '[\\t\\n\\f\\r ]';
  const separators = new RegExp(`^(?:${space}|,)+`);
  const address = new RegExp(`^(?!${space})[^\\t\\n\\f\\r ]+`);
  const spaces = new RegExp(`${space}+`);

  /// The candidates of a `srcset` (HTML §4.8.4.2.2), without those whose size cannot be read.
  function candidates(text) {
    const found = [];
    let rest = text.replace(separators, '');
    while (rest) {
      let [url] = address.exec(rest);
      rest = rest.slice(url.length);
      let words = [];
      if (url.endsWith(',')) {
        url = url.replace(/,+$/, '');
      } else {
        const [sizes] = /^(?:[^,(]+|\([^)]*\)?)*/.exec(rest);
        rest = rest.slice(sizes.length);
        words = sizes.split(spaces).filter(Boolean);
      }
      const size = sizeOf(words);
      if (size) found.push({ url, ...size });
      rest = rest.replace(separators, '');
    }
    return found;
  }

  /// A width or a density; undefined for anything else.
  function sizeOf(words) {
    const size = {};
    for (const word of words) {
      const [, number, unit] = /^(-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)([wxh])$/.exec(word) ?? [];
      const name = { w: 'width', x: 'density', h: 'height' }[unit];
      const isWhole = unit === 'x' || (/^\d+$/.test(number) && Number(number) > 0);
      if (!name || name in size || !isWhole || Number(number) < 0) return undefined;
      size[name] = Number(number);
    }
    const isOdd = ('density' in size && words.length > 1) || ('height' in size && !('width' in size));
    return isOdd ? undefined : { width: size.width, density: size.density ?? 1 };
  }

  /// The widest, or where none has a width the densest; a picture without pixels of its own stands in for one that loads late.
  function largest(value, base) {
    const isElement = typeof value === 'object' && typeof value?.getAttribute === 'function';
    const elements = isElement ? [value, ...(value.closest('picture')?.querySelectorAll('source') ?? [])] : [];
    const texts = isElement
      ? elements.flatMap((element) => [element.getAttribute('srcset'), element.getAttribute('data-srcset')])
      : [value];
    const plain = isElement ? value.getAttribute('src')?.trim() : undefined;
    const all = texts.flatMap((text) => (typeof text === 'string' ? candidates(text) : []));
    if (plain) all.push({ url: plain, density: 1 });
    const known = all.filter(({ url }) => !/^data:/i.test(url));
    const wide = known.filter(({ width }) => width);
    const [best] = wide.length > 0
      ? wide.sort((one, other) => other.width - one.width) : known.sort((one, other) => other.density - one.density);
    if (!best) return undefined;
    const from = base ?? (isElement ? value.baseURI : undefined);
    const url = from ? resolveURL(best.url, from) : best.url;
    if (url === null) return undefined;
    return best.width ? { url, width: best.width } : { url };
  }

  return freeze({ fileFormat: freeze(fileFormat), fit: freeze(fit), largest: freeze(largest) });
})
