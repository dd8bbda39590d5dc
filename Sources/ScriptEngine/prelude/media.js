// `fileFormat` and `fit` of `require('imgscript')`: what most sources leave to be worked out about a file.
(function () {
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

  return freeze({ fileFormat: freeze(fileFormat), fit: freeze(fit) });
})
