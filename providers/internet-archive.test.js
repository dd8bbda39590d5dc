const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a field is one value or a list of them', () => {
    const [several, one] = run.search('coffee').items;
    expect(several.author).toEqual({ name: 'Odalys Fernwick, Petra Mustermann' });
    expect(one).toMatchObject({
      id: 'example-latte-with-a-lopsided-heart-0002',
      title: 'Latte with a lopsided heart',
      page: 'https://archive.org/details/example-latte-with-a-lopsided-heart-0002',
      tags: ['latte', 'milk', 'foam'],
      author: { name: 'Petra Mustermann' },
      license: { id: 'cc-by-nc-sa-3.0' },
      created: '1891-05-01T00:00:00Z',
      stats: { downloads: 8959, likes: 1, reviews: 1 },
    });
  });

  test('a list knows the small picture alone', () => {
    expect(run.search('coffee').items[0].media).toMatchObject([{ role: 'thumbnail' }]);
  });

  test('goes on with a cursor until there is none', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(100);
    expect(page).toMatchObject({ total: 107 });
    expect(page.next).toMatchObject({ total: 107, first: 'example-enamel-coffee-pot-on-a-blue-stove-0001' });
    const last = run.search({ text: 'coffee', cursor: page.next });
    expect(last.items).toHaveLength(7);
    expect(last).toMatchObject({ total: 107, next: null }); // the archive says 7
  });
});

test('details know the files: the first picture, whole and small', () => {
  const { media } = run.details('example-coffee-pot-0001');
  expect(media[0]).toMatchObject({
    role: 'original',
    url: 'https://archive.org/download/example-coffee-pot-0001/plates/plate%2001.jpg',
    width: 3000,
    height: 2250,
    bytes: 2211034,
    format: 'jpeg',
  });
  expect(media[1].role).toBe('thumbnail');
});

test("an item's pictures are a collection, as is a collection of items", () => {
  const { items } = run.collection('example-coffee-pot-0001');
  expect(items.map((image) => image.id)).toEqual([
    'example-coffee-pot-0001', 'example-coffee-pot-0001/plates/plate 02.tif',
  ]);
  expect(run.details('example-coffee-pot-0001/plates/plate 02.tif').media[0]).toMatchObject({
    url: 'https://archive.org/download/example-coffee-pot-0001/plates/plate%2002.tif', format: 'tiff',
  });
  expect(run.collection('collection:example-museum').items).toHaveLength(5);
  expect(run.match('files:example-coffee-pot-0001')).toHaveProperty('type', 'collection');
});

test('a collection shows its items, not its logos', () => {
  const museum = run.match('https://archive.org/details/example-museum');
  expect(museum).toMatchObject({ id: 'example-museum', type: 'collection' });
  expect(run.collection(museum ?? '')).toEqual(run.collection('collection:example-museum'));
  const { type, title, media } = run.details('example-museum');
  expect({ type, title }).toEqual({ type: 'collection', title: 'The Example Museum' });
  expect(media).toEqual([{ role: 'thumbnail', url: 'https://archive.org/services/img/example-museum' }]);
});

test('an archive that answers with its first page again is not asked for ever', () => {
  cassette('errors');
  const { next } = run.search('stuck');
  expect(() => run.search({ text: 'stuck', cursor: next })).toThrow({ kind: 'changed', message: expect.stringMatching(/first page again/) });
});

test('what is wrong with a query is said by the archive', () => {
  cassette('errors');
  expect(() => run.search('bad query')).toThrow({ kind: 'unsupported', message: 'Invalid query syntax' });
  expect(() => run.search('rate limit')).toThrow('rate');
});

test('an item that is not there is {} with status 200', () => {
  expect(() => run.details('not-there')).toThrow({ kind: 'notFound', message: 'The archive has no item not-there.' });
});
