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
