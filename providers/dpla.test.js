const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an item says who made it, where, and who has it', () => {
    expect(run.search({ text: 'coffee', limit: 20 }).items[0]).toMatchObject({
      title: 'Lopsided coffee cup',
      description: 'A cup on a table.\nGelatin silver.',
      page: expect.stringMatching(/^https:\/\/dp\.la\/item\/[0-9a-f]{32}$/),
      tags: ['Cups', 'Still lifes'],
      author: { name: 'Finch, Marlow' },
      created: '1900',
      location: { name: 'Example Town', country: 'United States', latitude: 40.1, longitude: -75.2 },
      extra: { institution: 'Example Town Library', date: 'circa 1900', source_page: 'https://library.example/0' },
    });
  });

  test('the licence is a statement, or the kind of rights', () => {
    const { items } = run.search({ text: 'coffee', limit: 20 });
    expect(items[0].license?.url).toMatch('rightsstatements.org/vocab/NoC-US');
    expect(items[1].license).toEqual({ id: 'in-copyright', name: 'In Copyright' });
  });

  test('most have a preview alone, and those without one are left out', () => {
    const page = run.search({ text: 'coffee', limit: 20 });
    expect(page.items).toHaveLength(19);
    expect(page.total).toBe(23);
    expect(page.items[0].media.map((file) => file.role)).toEqual(['thumbnail']);
    expect(page.items[1].media.map((file) => file.role)).toEqual(['original', 'thumbnail']);
  });

  test('a second page follows the first', () => {
    expect(run.search({ text: 'coffee', limit: 20, page: 2 }).items).toHaveLength(3);
    expect(run.search({ text: 'coffee', params: { rights: 'Unlimited Re-Use', after: '1920' } }).total).toBe(1);
  });
});

test('details and the feed', () => {
  const [item] = run.feed().items;
  expect(item.extra).not.toHaveProperty('originalRecord');
  expect(run.details('2a583e2995b082a6ae6234fae38c1b98').extra).toMatchObject({
    files: 2, iiif_manifest: 'https://library.example/iiif/1/manifest',
  });
});

test.each([
  ['bad key', 'auth', 'Invalid or inactive API key.'],
  ['too deep', 'unsupported', 'page must be an integer between 0 and 100'],
])('"%s" is %s', (text, kind, message) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow({ kind, message });
});

test('an item that is not there is notFound', () => {
  expect(() => run.details('none')).toThrow('notFound');
  expect(() => run.search('too fast')).toThrow('rate');
  expect(run.search('zzzznothing').items).toEqual([]);
  expect(run.match('https://dp.la/item/abc')).toHaveProperty('id', 'abc');
});
