const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('the first of each list is the value', () => {
    const [, latte] = run.search('coffee').items;
    expect(latte).toMatchObject({
      id: '/9900/example_item_0002',
      title: 'Latte with a lopsided heart',
      description: 'Latte with a lopsided heart.\nInk and wash; unsigned.',
      page: 'https://www.europeana.eu/item/9900/example_item_0002',
      tags: ['latte', 'milk', 'foam'],
      license: { id: 'cc-by-sa-4.0' },
      created: '1795',
      extra: { dataProvider: ['Museum of Invented Things'] },
    });
    expect(latte.media).toMatchObject([
      { role: 'original', url: 'https://images.museum.example/0002/full.jpg' }, { role: 'thumbnail' },
    ]);
  });

  test('a creator given by an address is called by the name beside it', () => {
    for (const { author } of run.search('coffee').items) if (author) expect(author.name).not.toMatch(/^https?:/);
  });

  test('no link of the answer, which repeats the key, is kept', () => {
    for (const item of run.search('coffee').items) expect(JSON.stringify(item)).not.toMatch('wskey');
  });

  test('the cursor is handed back as it came', () => {
    const page = run.search('coffee');
    expect(page).toMatchObject({ total: 24, next: 'AoIIPyMp+/dlZGl0aW9u=' });
    expect(run.search({ text: 'coffee', cursor: page.next }).next).toBeNull();
  });
});

test('details say size, length and colours of the file', () => {
  const image = run.details('/9900/example_item_0004');
  expect(image.media[0]).toMatchObject({ width: 5472, height: 3648, bytes: 3326976, format: 'jpeg' });
  expect(image.colors).toEqual(['#8B4513', '#F5F5DC', '#2F4F4F']);
});

test('filters are repeated, each as one more qf', () => {
  const params = { reusability: 'open', colourpalette: ['#8B4513'], filters: ['COUNTRY:Examplia'] };
  expect(run.feed({ params }).total).toBe(3);
});

test.each([['bad key', 'auth'], ['rate limit', 'rate'], ['bad "query', 'unsupported']])('"%s" is %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('an item that is not there is notFound', () => {
  expect(() => run.details('/9900/not_there')).toThrow('notFound');
});

test('a page in any language is an item', () => {
  expect(run.match('https://www.europeana.eu/de/item/9900/abc')).toHaveProperty('id', '/9900/abc');
});
