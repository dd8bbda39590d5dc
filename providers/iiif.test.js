const { test, describe, expect, run } = require('imgscript/test');

const BOOK = 'https://iiif.io/api/cookbook/recipe/0009-book-1/manifest.json';

describe('a manifest', () => {
  test('gives its pages in order, each with what is said of the book', () => {
    const { items, total } = run.feed();
    expect(total).toBe(4);
    expect(items.map(({ title }) => title)).toEqual([
      'The Invented Herbal, Frontispiece', 'The Invented Herbal, f. 1r', 'The Invented Herbal, f. 1v', 'The Invented Herbal, f. 2r',
    ]);
    expect(items[0]).toMatchObject({
      id: `${BOOK}#1`,
      description: 'An herbal that never was, with plates.',
      page: 'https://library.example/items/herbal',
      author: { name: 'Quill, Tessera' },
      credit: 'Provided by the Example Library',
      license: { id: 'cc-by-4.0' },
      extra: { metadata: { Date: 'about 1590' } },
    });
  });

  test('names the whole picture, or leaves it to the service', () => {
    const [whole, reduced, fixed] = run.feed().items;
    expect(whole.media[0]).toMatchObject({ role: 'original', width: 3204, height: 4613, format: 'jpeg' });
    expect(whole.media.map(({ role }) => role)).toEqual(['original', 'large', 'regular', 'small', 'thumbnail']);
    expect(reduced.media[0]).toMatchObject({ role: 'large', url: expect.stringContaining('/full/!1024,1024/') });
    expect(reduced.media.some(({ role }) => role === 'original')).toBe(false);
    expect(fixed.media).toHaveLength(1); // level 0 makes no sizes
  });

  test('is cut into pages of the size that is asked for', () => {
    const first = run.feed({ limit: 3 });
    expect(first.items).toHaveLength(3);
    expect(run.feed({ limit: 3, cursor: first.next })).toMatchObject({ items: [{ id: `${BOOK}#4` }], next: null });
  });

  test('of version 2 is read too', () => {
    const [recto, verso] = run.collection('https://archive.example/iiif/maps/manifest.json').items;
    expect(recto).toMatchObject({
      title: 'Map of an invented bay, recto',
      description: 'A map with soundings', // English, of two languages
      author: { name: 'Ferncombe, Ada' },
      credit: 'Example Archive',
      license: { id: 'cc0-1.0' },
      media: [
        { role: 'original', url: 'https://archive.example/iiif/2/map-1/full/full/0/default.jpg', width: 7000, height: 5000 },
        { role: 'large' }, { role: 'regular' }, { role: 'small' }, { role: 'thumbnail' },
        { role: 'thumbnail', url: 'https://archive.example/thumbs/1.jpg' },
      ],
    });
    expect(verso.id).toBe('https://archive.example/iiif/maps/manifest.json#2');
  });
});

describe('details', () => {
  test('have the largest size that the server gives', () => {
    expect(run.details(`${BOOK}#2`).media[0]).toEqual({
      role: 'original', url: 'https://images.library.example/iiif/3/book-2/full/max/0/default.jpg', width: 1389, height: 2000, format: 'jpeg',
    });
  });

  test('of a service without a choice have the sizes it lists', () => {
    expect(run.details(`${BOOK}#3`).media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 3204], ['large', 1602], ['small', 400],
    ]);
  });

  test('of a page that is not there are notFound', () => {
    expect(() => run.details(`${BOOK}#99`)).toThrow({ kind: 'notFound', message: 'The manifest has no page 99.' });
  });
});

test('a collection goes through its manifests and collections, past what is gone', () => {
  const ids = [];
  let cursor;
  do {
    const page = run.collection('https://library.example/iiif/collection/top', { cursor });
    ids.push(...page.items.map(({ id }) => String(id).replace(/^.*\//, '')));
    cursor = page.next;
  } while (cursor);
  expect(ids).toEqual(['manifest.json#1', 'manifest.json#2', 'manifest.json#3', 'manifest.json#4', 'manifest.json#1', 'manifest.json#2']);
});

test('an info.json is one picture, as large as its area may be', () => {
  const { items: [picture], next } = run.collection('https://images.library.example/iiif/3/book-9/info.json');
  expect(next).toBeNull();
  expect(picture.media[0]).toMatchObject({ width: 833, height: 1199, url: expect.stringContaining('/full/max/') });
});

test("a manifest's address is a collection", () => {
  const address = 'https://iiif.example.org/iiif/MS-1/manifest.json';
  expect(run.match(address)).toMatchObject({ id: address, type: 'collection' });
  expect(run.match('https://example.org/presentation/v3/b123')).toMatchObject({ id: 'https://example.org/presentation/v3/b123' });
  for (const path of ['api/cookbook/recipe/0009-book-1/manifest.json', 'b18035723/collection.json', 'a/b/c/d/e/f/g/manifest.json']) {
    expect(run.match(`https://example.org/${path}`)).toMatchObject({ id: `https://example.org/${path}`, type: 'collection' });
  }
  expect(run.match('https://example.org/books/1')).toBeNull();
  expect(run.match('https://example.org/manifest.json')).toBeNull(); // of a web page that is an application
});
