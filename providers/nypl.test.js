const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('gives items with their rights; albums have no picture, and an item stands there once', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(19); // of 21
    expect(page.total).toBe(23);
    expect(page.items[1]).toMatchObject({
      title: 'Quiet tram',
      page: expect.stringMatching(/^https:\/\/digitalcollections\.nypl\.org\/items\/[0-9a-f-]{36}$/),
      license: { id: 'cc0-1.0' },
      extra: { image_id: '56730001', kind: 'still image' },
    });
  });

  test('what anyone may use has every size, the rest small ones', () => {
    const [restricted, free] = run.search('coffee').items;
    expect(free.media.map((file) => file.role)).toEqual(
      ['original', 'large', 'regular', 'regular', 'small', 'thumbnail']);
    expect(free.media[0].url).toBe('https://images.nypl.org/index.php?id=56730001&t=g');
    expect(restricted.media.map((file) => file.role)).toEqual(['regular', 'small', 'thumbnail']);
  });

  test('a second page follows the first', () => {
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
    expect(run.search({ text: 'coffee', params: { public_domain: true } }).total).toBe(1);
  });
});

test('details say who made it, when, and what it shows', () => {
  expect(run.details('1b586c32-eb56-f57f-3440-1d1d8a2209d2')).toMatchObject({
    title: 'Quiet tram',
    description: 'Drawn from life.',
    tags: ['Cups', 'Saucers', 'Still life', 'Prints'],
    author: { name: 'Fernwick, Odalys' },
    created: '1890',
  });
});

test('all pictures of an item are a collection', () => {
  const { items } = run.collection('views:858fc4e8-13c1-dfe8-65ae-ca94a853bbb0');
  expect(items).toHaveLength(3);
  expect(new Set(items.map((item) => item.id)).size).toBe(3);
});

test.each([
  ['bad key', 'auth', 'Access token not authorized'],
  ['bad word', 'unsupported', 'Invalid search'],
])('"%s" is %s', (text, kind, message) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow({ kind, message });
});

test('an item that is not there, or has no picture, is notFound', () => {
  expect(() => run.details('none')).toThrow({ kind: 'notFound', message: 'No items were found' });
  const message = 'The item has no picture.';
  expect(() => run.collection('views:0ca56753-d80c-71a1-9325-79ef41930fe2')).toThrow({ kind: 'notFound', message });
  expect(() => run.search('too fast')).toThrow('rate');
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
  expect(run.match('https://digitalcollections.nypl.org/items/abc')).toHaveProperty('id', 'abc');
});
