const { fit } = require('imgscript');

/** @typedef {[role: import('imgscript').Media['role'], side: number][]} Sizes */

/** @type {Sizes} */
const SIZES = [['large', 1600], ['regular', 800], ['small', 400], ['thumbnail', 200]];

/**
 * The files of an IIIF image service: the whole picture, and smaller ones that the server makes. Where the picture’s
 * size is known, nothing is asked for that would have to be blown up; where it is not, sizes are a square to fit in.
 * @param {string | null | undefined} base the image's own URL
 * @param {{ width?: number | null, height?: number | null, whole?: 'full' | 'max' | null, sizes?: Sizes }} [known]
 * `whole` is the service's word for the original, null where it gives none
 * @returns {import('imgscript').Media[]}
 */
exports.media = (base, known) => {
  if (!base) return [];
  const { width, height, whole = 'full', sizes = SIZES } = known ?? {};
  /** @param {string} size */
  const url = (size) => `${base.replace(/\/$/, '')}/full/${size}/0/default.jpg`;
  const smaller = sizes.filter(([, side]) => !width || side < width).map(([role, side]) => {
    const sides = fit({ width, height }, { width: side });
    return { role, url: url(sides.width ? `${side},` : `!${side},${side}`), ...sides, format: 'jpeg' };
  });
  return whole ? [{ role: 'original', url: url(whole), width, height, format: 'jpeg' }, ...smaller] : smaller;
};

/** The image's own URL, of any of its files. @param {string | null | undefined} url */
exports.base = (url) => (url ? /^(.*?)\/(?:full|square|[\d,]+)\/[^/]+\/\d+\/\w+\.\w+$/.exec(url)?.[1] : undefined);
