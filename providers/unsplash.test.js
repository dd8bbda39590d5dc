const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  test('a photograph comes in five sizes, and says whose it is', () => {
    cassette('search');
    const { items, total } = run.search('coffee');
    expect(total).toBe(24);
    expect(items).toHaveLength(20);
    expect(items[0].media.map((file) => file.role)).toEqual(['original', 'large', 'regular', 'small', 'thumbnail']);
    expect(items[0]).toMatchObject({
      type: 'image',
      title: 'Flat white beside a rain-streaked window',
      license: { id: 'unsplash' },
      author: { name: expect.any(String), url: expect.stringMatching(/utm_source=imgscript/) },
    });
  });

  test('nothing found is an empty page', () => {
    expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
  });

  const failures = [['bad key', 'auth'], ['rate limit', 'rate'], ['spam', 'unsupported']];
  test.each(failures)('%s is an error of kind %s', (text, kind) => {
    cassette('errors');
    expect(() => run.search(text)).toThrow(kind);
  });
});

test('a download is reported before it is fetched', () => {
  const photo = run.details('nlHhMUj9CtX');
  const [original] = photo.media;
  expect(run.download(original, photo)?.url).toMatch('images.unsplash.com');
});

test('a profile page is a collection', () => {
  expect(run.match('https://unsplash.com/@anna')).toMatchObject({ id: 'user:anna', type: 'collection' });
  expect(run.match('https://example.com/@anna')).toBeNull();
});

test("a page's title is left away: the id at its end is what is asked for", () => {
  const photo = run.match('https://unsplash.com/photos/flat-white-nlHhMUj9CtX?utm_source=x');
  expect(run.details(String(photo?.id))).toEqual(run.details('nlHhMUj9CtX'));
});

test('details say where and with what a photo was taken', () => {
  expect(run.details('nlHhMUj9CtX')).toMatchObject({
    location: { city: 'Naoussa', country: 'Greece', latitude: 37.1236, longitude: 25.2372 },
    camera: { make: 'Examplon', model: 'EX-7', exposure: '1/250', aperture: '4.5', focalLength: '35.0', iso: 400 },
    stats: { views: 10432, downloads: 512 },
    tags: ['coffee', 'flat white', 'rain', 'window'],
    colors: ['#262626'],
  });
});

test("sizes keep the photo's shape and grow nothing", () => {
  const [{ media }] = run.search('coffee').items;
  expect(media.map(({ width, height }) => [width, height])).toEqual([
    [6000, 4000], [6000, 4000], [1080, 720], [400, 267], [200, 133],
  ]);
});

test("a list's total stands in a header; a user and a collection are lists", () => {
  expect(run.feed().total).toBe(8);
  expect(run.collection('user:odalysfernwick').items).toHaveLength(3);
  expect(run.collection('collection:7310042').items).toHaveLength(4);
});

test('pages are counted', () => {
  expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(4);
  expect(() => run.details('not-there')).toThrow('notFound');
});

test('the editorial list has one order, topics and users have several', () => {
  const params = { order_by: 'popular' };
  expect(() => run.feed({ params })).toThrow('The editorial list takes no order_by (expected a topic, too).');
  expect(run.feed({ params: { topic: 'coffee-corners', ...params } }).items[0]).toHaveProperty('id', '8HyXhfM2QU2');
  expect(run.collection('topic:coffee-corners').items).toHaveLength(3);
  const ids = (/** @type {object} */ query) => run.collection('user:odalysfernwick', query).items.map(({ id }) => id);
  expect(ids({ params: { order_by: 'views' } })).toEqual(ids({}).reverse());
  expect(() => run.collection('collection:7310042', { params })).toThrow('Collections have one order');
  expect(run.collection('search:latte').total).toBe(2);
});

test('a file that the download call names on another host is not fetched from there', () => {
  const drawing = run.details('Il1ustrat10');
  expect(run.download(drawing.media[0], drawing)).toBeNull(); // the URL in `media` serves
  expect(run.download(drawing.media[0], { ...drawing, id: 'Imgix000001', extra: {} })).toBeNull();
});

test.each([
  ['https://unsplash.com/illustrations/a-cup-drawn-in-ink-Il1ustrat10', 'a-cup-drawn-in-ink-Il1ustrat10'],
  ['https://unsplash.com/de/fotos/eine-tasse-nlHhMUj9CtX', 'eine-tasse-nlHhMUj9CtX'],
  ['https://unsplash.com/ja/写真/コーヒー-nlHhMUj9CtX', 'コーヒー-nlHhMUj9CtX'],
  ['https://unsplash.com/fr/illustrations/une-tasse-Il1ustrat10', 'une-tasse-Il1ustrat10'],
])('%s is a photo', (url, id) => {
  expect(run.match(url)).toMatchObject({ id, type: 'image' });
});

test.each([
  ['https://unsplash.com/de/@anna', 'user:anna'],
  ['https://unsplash.com/t/wallpapers', 'topic:wallpapers'],
  ['https://unsplash.com/es/t/wallpapers', 'topic:wallpapers'],
  ['https://unsplash.com/de/kollektionen/7310042/tassen', 'collection:7310042'],
  ['https://unsplash.com/s/photos/flat-white', 'search:flat-white'],
])('%s is a collection', (url, id) => {
  expect(run.match(url)).toMatchObject({ id, type: 'collection' });
});
