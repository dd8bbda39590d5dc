const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a photo says whose it is, under which licence, and when it was taken', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '99700000000',
      title: 'Latte art: a lopsided swan 🦢',
      page: 'https://www.flickr.com/photos/mihon_taro/99700000000/',
      tags: ['coffee', 'latteart', 'swan', 'foam'],
      author: { name: '見本 太郎', id: '909013577@N01', url: 'https://www.flickr.com/photos/mihon_taro/' },
      license: { id: 'cc-by-2.0' }, // by number 4, whose order is not that of the names
      created: '2015-01-01T00:00:00',
    });
  });

  test('every size that the answer has is a file, the largest first', () => {
    const [photo, withoutOriginal] = run.search('coffee').items;
    expect(photo.media[0]).toMatchObject({ role: 'original', width: 2400, height: 2400, format: 'jpeg' });
    const widths = photo.media.map((file) => file.width ?? 0);
    expect(widths[0]).toBe(Math.max(...widths));
    expect(widths.at(-1)).toBe(Math.min(...widths));
    expect(withoutOriginal.media[0].role).toBe('large');
  });

  test('a second page follows the first', () => {
    expect(run.search('coffee')).toMatchObject({ total: 23 });
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
  });
});

test('details add sizes, place and camera', () => {
  expect(run.details('99702469154')).toMatchObject({
    location: { name: 'Naoussa, South Aegean, Greece', city: 'Naoussa', country: 'Greece', latitude: 37.1236 },
    camera: { make: 'Examplon', model: 'EX-7', exposure: '1/125', aperture: '2.8', focalLength: '50', iso: 640 },
    stats: { views: 194, comments: 3 },
    rating: 'safe',
    media: expect.arrayContaining([expect.objectContaining({ role: 'original', width: 8256, height: 5504 })]),
  });
});

test("the name in a page's address is looked up first", () => {
  const item = run.match('https://www.flickr.com/photos/boprovbild');
  expect(run.collection(item ?? '').items).toHaveLength(3);
});

test("an album's photos have its owner", () => {
  const [photo] = run.collection('album:909081462@N06/72177720300000042').items;
  expect(photo.author).toMatchObject({ name: 'Bo Provbild', id: '909081462@N06' });
});

test("a user's photos go on past the 4,000th, a search's do not", () => {
  const last = run.collection('user:909081462@N06', { page: 201 });
  expect(last).toMatchObject({ total: 7846 });
  expect(last).not.toHaveProperty('next');
  expect(require('./flickr').limits).not.toHaveProperty('reachable'); // it would hold for all lists
  expect(run.search({ text: 'many', page: 8, limit: 500 })).toMatchObject({ total: 1250000, next: null });
});

test('groups, galleries, favourites and tags are lists of photos', () => {
  expect(run.collection('group:example-cups').items).toHaveLength(2);
  expect(run.collection('gallery:72157700000000042').items).toHaveLength(2);
  expect(run.collection('favorites:909081462@N06').items).toHaveLength(2);
  expect(run.collection('tag:latteart').items).toHaveLength(2);
  expect(run.collection('tag:909081462@N06/latteart').items).toHaveLength(1);
  expect(run.collection('search:latte').items).toHaveLength(1);
});

test("a user's albums and galleries are lists of collections", () => {
  const [album] = run.collection('albums:909081462@N06').items;
  expect(album).toMatchObject({
    id: 'album:909081462@N06/72177720300000042', type: 'collection', title: 'Cups, 2019–2024',
    page: 'https://www.flickr.com/photos/909081462@N06/albums/72177720300000042',
    description: 'All of them\nchipped.', created: '2020-09-22T00:20:20Z', stats: { photos: 4, views: 120 },
  });
  expect(run.collection(album).items).toHaveLength(4);
  const [gallery] = run.collection('galleries:909081462@N06').items;
  const author = { name: 'Bo Provbild' };
  expect(gallery).toMatchObject({ id: 'gallery:72157700000000042', type: 'collection', author });
  expect(run.collection(gallery).items).toHaveLength(2);
});

test('an original is built of its own secret, where its address is not given', () => {
  const [bare, listed] = run.collection('gallery:72157700000000042').items;
  expect(bare.media[0]).toEqual({
    role: 'original', url: 'https://live.staticflickr.com/65535/99760000003_0123456789_o.png',
    width: 3200, height: 2400, format: 'png',
  });
  expect(listed.media[0]).toMatchObject({ role: 'original', width: 5000, format: 'jpeg' });
  expect(listed.media.filter((file) => file.role === 'original')).toHaveLength(1);
});

test.each([
  ['https://www.flickr.com/photos/anna/sets/721', 'album:anna/721'],
  ['https://www.flickr.com/photos/anna/albums/721/with/99702469154', 'album:anna/721'],
  ['https://www.flickr.com/photos/anna/albums/', 'albums:anna'],
  ['https://www.flickr.com/photos/anna/favorites', 'favorites:anna'],
  ['https://www.flickr.com/photos/anna/favorites/page2', 'favorites:anna'],
  ['https://www.flickr.com/photos/anna/galleries/721/', 'gallery:721'],
  ['https://www.flickr.com/photos/anna/galleries', 'galleries:anna'],
  ['https://www.flickr.com/photos/anna/tags/cat/', 'tag:anna/cat'],
  ['https://www.flickr.com/photos/tags/cat', 'tag:cat'],
  ['https://www.flickr.com/groups/cups/pool/', 'group:cups'],
  ['https://www.flickr.com/search/?text=black+cat', 'search:black cat'],
])('%s is a collection', (url, id) => {
  expect(run.match(url)).toMatchObject({ id, type: 'collection' });
});

test.each([
  ['https://www.flickr.com/photos/anna/99702469154/sizes/o/', '99702469154'],
  ['https://www.flickr.com/photos/anna/99702469154/sizes/o/in/photostream/', '99702469154'],
  ['https://www.flickr.com/photos/anna/99702469154/in/set-721/', '99702469154'],
  ['https://flic.kr/p/3BUnduS', 'p/3BUnduS'],
])('%s is a photo', (url, id) => {
  expect(run.match(url)).toMatchObject({ id, type: 'image' });
});

test('a short address has the number in base 58', () => {
  expect(run.details('p/3BUnduS').id).toBe('99702469154');
  expect(() => run.details('archives')).toThrow('"archives" is no photo (expected its number');
});

test('a key that is refused says who gets one', () => {
  cassette('errors');
  expect(() => run.search('bad key')).toThrow(/Flickr asks for a Pro account/);
  expect(() => run.collection('user:nobody')).toThrow('notFound');
});

test('the public feed needs no key, the others do', () => {
  expect(run.feed().items).toHaveLength(7);
  expect(run.feed({ params: { list: 'interesting' } }).items.length).toBeGreaterThan(0);
  expect(run.feed({ params: { list: 'recent' } }).items.length).toBeGreaterThan(0);
});

test.each([['bad key', 'auth'], ['rate limit', 'rate'], ['unavailable', 'rate'], ['', 'unsupported']])(
  'an error inside a 200, after "%s", is %s', (text, kind) => {
    cassette('errors');
    expect(() => run.search({ text })).toThrow(kind);
  },
);

test('a photo that is not there is notFound', () => {
  expect(() => run.details('1')).toThrow('notFound');
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
});

test('whoever is logged in sees their own favourites, and what is private', () => {
  cassette('collection');
  expect(run.collection('favorites:me').items).toHaveLength(2);
  expect(run.collection('user:me').items).toHaveLength(2);
  expect(run.match('https://www.flickr.com/photos/me/favorites')).toHaveProperty('id', 'favorites:me');
});
