const { fail, license, parseDate } = require('imgscript');

const SITE = 'https://ambientcg.com';
const LIST = '/api/v2/full_json';
const INCLUDE = 'statisticsData,tagData,displayData,dimensionsData,imageData,downloadData';
/** @type {Record<string, import('imgscript').Parameter>} */
const FILTERS = {
  type: {
    type: 'list',
    values: ['Material', 'Atlas', 'Decal', 'HDRI', '3DModel', 'Terrain', 'PlainTexture', 'Substance', 'HDRIElement', 'Brush'],
    join: ',', help: 'Kinds of assets.',
  },
  method: { type: 'string', help: 'How they were made, such as PBRPhotogrammetry or PBRProcedural.' },
  sort: { type: 'choice', values: ['Latest', 'Popular', 'Alphabet', 'Downloads'] },
};

/** @param {import('imgscript').Query} q */
const request = (q) => ({
  url: LIST, query: { q: q.text || null, limit: q.limit, offset: q.offset, include: INCLUDE, ...q.params },
});

/** @param {import('imgscript').Response} res */
const parse = ({ json }) => ({ total: json.numberOfResults, items: json.foundAssets.map(image) });

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'ambientcg',
  name: 'ambientCG',
  version: '1.0.0',
  homepage: `${SITE}/`,
  summary: 'Pictures of materials, panoramas and models for 3D graphics, all CC0.',
  category: 'stock',
  base: SITE,
  hosts: ['ambientcg.com'],
  mediaHosts: ['ambientcg.com', '*.ambientcg.com', '*.struffelproductions.com'],
  limits: { pageSize: { max: 100, default: 24 }, rate: ['2/1s'] },
  terms: { url: 'https://docs.ambientcg.com/license/', license: 'CC0', attribution: '{title} from ambientCG' },
  paging: 'offset',

  search: { newestFirst: { sort: ['Latest'] }, params: FILTERS, request, parse },
  feed: { newestFirst: { sort: ['Latest'] }, params: FILTERS, request, parse },
  details: {
    request: (item) => ({ url: LIST, query: { id: item.id, include: INCLUDE } }),
    parse: ({ json }, item) => image(json.foundAssets[0] ?? fail('notFound', `ambientCG has no asset ${item.id}.`)),
  },

  match: [{ pattern: [`${SITE}/a/{id}`, `${SITE}/view?id={id}`], item: { id: '{id}' } }],
};

/** The textures themselves come as archives; this is what the site shows of them. @returns {import('imgscript').Item} */
function image(/** @type {any} */ asset) {
  const {
    assetId, displayName, description, tags, releaseDate, downloadCount, previewImage, dataType, dataTypeName,
    displayCategory, downloadFolders, shortLink, ...extra
  } = asset;
  return {
    id: assetId,
    type: 'image',
    title: displayName ?? assetId,
    description: description || null,
    page: assetId && `${SITE}/a/${assetId}`,
    tags: [...new Set([dataTypeName ?? dataType, displayCategory, ...tags ?? []].filter(Boolean))],
    author: { name: 'ambientCG', url: SITE },
    license: license('cc0'),
    created: parseDate(releaseDate),
    stats: { downloads: downloadCount },
    media: previews(previewImage),
    extra: { data_type: dataType, archives: archives(downloadFolders), ...extra },
  };
}

/** Named by side, format and ground: `1024-JPG-FFFFFF`. @returns {import('imgscript').Media[]} */
function previews(/** @type {Record<string, string>} */ images) {
  const found = Object.entries(images).flatMap(([name, url]) => {
    const [, side, format] = /^(\d+)-(PNG|JPG)(?:-[0-9A-F]{6})?$/.exec(name) ?? [];
    const width = Number(side);
    return side ? [{ url, width, height: width, format: format === 'PNG' ? 'png' : 'jpeg' }] : [];
  }).sort((one, other) => other.width - one.width || (one.format < other.format ? 1 : -1));
  return found.map((file, index) => ({ role: index ? roleOf(file.width) : 'original', ...file }));
}

/** @param {number} side @returns {import('imgscript').Media['role']} */
function roleOf(side) {
  if (side >= 1024) return 'large';
  if (side >= 512) return 'regular';
  return side >= 256 ? 'small' : 'thumbnail';
}

/** @param {any} folders */
function archives(folders) {
  const kinds = Object.values(folders ?? {}).flatMap((folder) => Object.values(folder.downloadFiletypeCategories ?? {}));
  const files = kinds.flatMap((kind) => kind.downloads ?? []);
  return files.map(({ attribute: name, downloadLink: url, size: bytes }) => ({ name, url, bytes }));
}
