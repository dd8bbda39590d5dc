// What DeviantArt’s API says of a deviation: https://www.deviantart.com/developers/
const { license, parseDate, plainText } = require('imgscript');

const SITE = 'https://www.deviantart.com';

module.exports = { image, about };

/** @param {any} deviation @returns {import('imgscript').Item} */
function image(deviation) {
  const {
    deviationid: id, url, title, author, stats, published_time, content, preview, thumbs,
    is_ai_generated: aiGenerated, ...extra
  } = deviation;
  const smaller = [...thumbs ?? [], preview].filter((size) => size && size.src !== content?.src).reverse();
  return {
    id,
    type: 'image',
    title,
    page: url,
    author: { name: author.username, id: author.userid, url: `${SITE}/${author.username}` },
    created: parseDate(published_time),
    stats: { likes: stats?.favourites, comments: stats?.comments },
    media: [
      ...(content ? [file(content, 'original')] : []),
      ...smaller.map((size) => file(size)),
    ],
    rating: extra.is_mature ? 'sensitive' : 'safe',
    aiGenerated: aiGenerated ?? null,
    extra,
  };
}

/** @param {any} size @param {'original'} [role] @returns {import('imgscript').Media} */
function file({ src, width, height, filesize }, role) {
  const fitting = width > 900 ? 'large' : width > 400 ? 'regular' : width > 200 ? 'small' : 'thumbnail';
  return { role: role ?? fitting, url: src, width, height, bytes: filesize };
}

/** What only the metadata say. @returns {Partial<import('imgscript').Item>} */
function about({ description, license: terms, tags, camera }) {
  const clauses = { by: /^Creative/, nc: /Noncommercial/i, sa: /Share/i, nd: /No Deriv/i };
  const code = Object.entries(clauses).filter(([, words]) => words.test(terms)).map(([clause]) => clause).join('-');
  return {
    description: plainText(description),
    tags: tags?.map((tag) => tag.tag_name),
    license: license(code, /\d\.\d/.exec(terms)?.[0]),
    camera: camera && { make: camera.make, model: camera.model, exposure: camera.shutter_speed,
      aperture: camera.aperture?.replace('f/', ''), focalLength: camera.focal_length?.replace(/ ?mm$/, '') },
  };
}
