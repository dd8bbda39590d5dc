const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an image says what it shows, whose it is and under which licence', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '990000',
      title: 'Lopsided coffee cup',
      description: 'Lopsided coffee cup. Original public domain image from an example.',
      page: 'https://www.rawpixel.com/image/990000/example',
      author: { name: 'Marlow Finch', id: '990001', url: 'https://www.rawpixel.com/finch' }, // without “(Source)”
      license: { id: 'cc0-1.0' },
      tags: ['cup', 'coffee', 'public domain'],
    });
  });

  test('its files are the two sizes that anyone may see', () => {
    const { items } = run.search('coffee');
    expect(items[0].media).toMatchObject([
      { role: 'large', width: 1200, height: 900 }, { role: 'thumbnail', width: 800, height: 600 },
    ]);
    expect(items[1].media[0]).toMatchObject({ width: 900, height: 1200 });
    expect(items[4].media[0]).not.toHaveProperty('width');
  });

  test('what Rawpixel sells is not CC0', () => {
    expect(run.search('coffee').items[2].license).toMatchObject({
      id: 'premium', url: 'https://www.rawpixel.com/services/licenses',
    });
  });

  test('a second page follows the first', () => {
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
  });

  test('filters go to the source', () => {
    expect(run.search({ text: 'coffee', params: { tags: '$usgovernmentworks', sort: 'new' } }).items).toHaveLength(1);
  });
});

test('the feed needs no text', () => {
  expect(run.feed().items).toHaveLength(4);
});

test('a signature that is refused is a refused key', () => {
  expect(() => run.search('bad signature')).toThrow('auth');
  expect(() => run.search('too fast')).toThrow('rate');
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing').items).toEqual([]);
});
