const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a file says who sells it and what it shows', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '990000000',
      title: 'Lopsided coffee cup on a table',
      page: expect.stringMatching(/^https:\/\/stock\.adobe\.com\/images\/lopsided-coffee-cup\/990000000/),
      tags: ['coffee', 'table'],
      author: { name: 'Marlow Finch', id: '200000000' },
      license: { id: 'adobe-stock' },
      created: '2026-05-01T14:35:40.112',
      stats: { views: 100, downloads: 3 },
      extra: { width: 4000, height: 3000, kind: 'photo', category: 'Food' },
    });
  });

  test('there are previews alone, of which the large ones have a watermark', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map(({ role, width, watermarked }) => [role, width, watermarked ?? false])).toEqual([
      ['large', 1000, true], ['regular', 500, true], ['small', 240, false], ['thumbnail', 160, false],
      ['thumbnail', 110, false],
    ]);
  });

  test('a second page follows the first', () => {
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', offset: 20 }).items).toHaveLength(3);
  });

  test('filters go to the source', () => {
    const params = { content_type: ['photo'], orientation: 'vertical', order: 'creation' };
    expect(run.search({ text: 'coffee', params }).total).toBe(1);
  });
});

test('contributors and series are collections', () => {
  expect(run.collection('user:200000000').items).toHaveLength(2);
  expect(run.collection('series:990000000').items).toHaveLength(3);
});

test.each([
  ['no key', 'auth', 'Api Key is required'],
  ['bad words', 'unsupported', 'Invalid parameters'],
  ['too fast', 'rate', 'Too many requests'],
])('"%s" is %s', (text, kind, message) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow({ kind, message });
});

test('a file that is not there is notFound', () => {
  expect(run.details('990000000').id).toBe('990000000');
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: 'Adobe Stock has no file 1.' });
  expect(run.search('zzzznothing').items).toEqual([]);
});

test.each([
  ['https://stock.adobe.com/images/lopsided-cup/990000000', '990000000'],
  ['https://stock.adobe.com/de/images/lopsided-cup/990000000', '990000000'],
  ['https://stock.adobe.com/contributor/200000000/marlow', 'user:200000000'],
])('%s is %s', (address, id) => {
  expect(run.match(address)).toHaveProperty('id', id);
});
