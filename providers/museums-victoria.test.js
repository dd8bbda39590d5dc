const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a record shows its first image', () => {
    const [record] = run.search('coffee').items;
    expect(record).toMatchObject({
      id: 'items/415000',
      title: 'Lopsided coffee cup',
      description: 'Lopsided coffee cup, invented for this sample.',
      page: 'https://collections.museumsvictoria.com.au/items/415000',
      tags: ['Immigration', 'Shipping'],
      license: { id: 'cc-by-4.0' },
      extra: { record_title: 'Lopsided coffee cup, circa 1957', registrationNumber: 'HT 1400' },
    });
    expect(record).not.toHaveProperty('author');
    expect(record.media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 3000], ['regular', 1500], ['small', 500], ['thumbnail', 250],
    ]);
  });

  test('the licence is that of the image', () => {
    const { items } = run.search('coffee');
    expect(items.slice(0, 3).map((item) => item.license?.id)).toEqual(['cc-by-4.0', 'pdm-1.0', 'all-rights-reserved']);
    expect(items[1].author).toMatchObject({ name: 'Odalys Fernwick' });
  });

  test('a record with a film alone is left out, and counted', () => {
    expect(run.search('coffee')).toMatchObject({ total: 23 });
    expect(run.search('coffee').items).toHaveLength(19);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
  });

  test('a specimen says where it was found', () => {
    const [specimen] = run.search({ text: 'coffee', params: { recordtype: 'specimen' } }).items;
    expect(specimen.location).toEqual({ name: 'Example Bay', country: 'Australia', latitude: -38.5, longitude: 145.2 });
  });
});

test('all images of a record are a collection', () => {
  const { items } = run.collection('views:items/415002');
  expect(items.map((item) => item.id)).toEqual(['items/415002', 'items/415002/media/488021']);
  expect(run.details('items/415000/media/488001')).toMatchObject({ title: 'Lopsided coffee cup, reverse' });
});

test('the feed needs no text', () => {
  expect(run.feed().items).toHaveLength(4);
});

test('errors are of their kinds', () => {
  expect(() => run.details('items/1')).toThrow('notFound');
  expect(() => run.collection('views:items/415005')).toThrow({ kind: 'notFound', message: 'The record has no image.' });
  expect(() => run.search('too fast')).toThrow('rate');
  expect(run.search('zzzznothing').items).toEqual([]);
});

test.each([
  ['https://collections.museumsvictoria.com.au/items/415000', 'items/415000'],
  ['https://collections.museumsvictoria.com.au/species/8436', 'species/8436'],
  ['views:items/415002', 'views:items/415002'],
])('%s is %s', (address, id) => {
  expect(run.match(address)).toHaveProperty('id', id);
});
