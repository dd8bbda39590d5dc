const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an object says who made it and where', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: 'O9900100',
      title: 'Coffee pot with reeded handle',
      page: 'https://collections.vam.ac.uk/item/O9900100/',
      author: { name: 'Isolde Varnham' },
      location: { name: 'Norwich' },
      extra: { objectType: 'Silver object', _primaryDate: 'ca. 1742' },
    });
  });

  test('the image server makes sizes that fit into a square', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map((file) => file.role)).toEqual(['original', 'large', 'regular', 'small', 'thumbnail']);
    expect(media[0].url).toBe('https://framemark.vam.ac.uk/collections/2031EX0000/full/full/0/default.jpg');
  });

  test('pages are counted', () => {
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
  });
});

test('its own page describes it, without markup', () => {
  expect(run.details('O9900103')).toMatchObject({
    description: 'Etching and drypoint, made in Lyon about 1876. Written for this sample; there is no such object.',
    tags: ['Tableware', 'Drinking'],
    author: { name: 'Aurelia Montfort' },
  });
});

test('the order is asked for', () => {
  expect(run.feed({ params: { order_by: 'date', order_sort: 'asc' } }).items.length).toBeGreaterThan(0);
});

test('an object that is not there is notFound', () => {
  expect(() => run.details('O1')).toThrow('notFound');
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
  expect(run.match('https://collections.vam.ac.uk/item/O9900103/etching-montfort/')).toHaveProperty('id', 'O9900103');
});
