const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('addresses are made of two words and the id', () => {
    const [photo] = run.search('coffee').items;
    expect(photo).toMatchObject({
      id: 'EXCABC9050',
      page: 'https://stocksnap.io/photo/coffee-cup-EXCABC9050',
      tags: ['coffee', 'cup', 'steam', 'table'],
      author: { name: 'Tamsin Okoro', id: '990100', url: 'https://stocksnap.io/author/990100' },
      license: { id: 'cc0-1.0' },
      stats: { downloads: 5, favorites: 0, views: 100 },
    });
    expect(photo.media).toEqual([
      {
        role: 'large', url: 'https://cdn.stocksnap.io/img-thumbs/960w/coffee-cup_EXCABC9050.jpg',
        width: 960, height: 720, format: 'jpeg',
      },
      {
        role: 'small', url: 'https://cdn.stocksnap.io/img-thumbs/280h/coffee-cup_EXCABC9050.jpg',
        width: 373, height: 280, format: 'jpeg',
      },
    ]);
  });

  test("the original's size is known, its address is not", () => {
    expect(run.search('coffee').items[0].extra).toMatchObject({ img_width: 4000, img_height: 3000 });
  });

  test('nextPage is a number, and false at the end', () => {
    expect(run.search('coffee').next).toBe(2);
    expect(run.search({ text: 'coffee', cursor: 2 }).next).toBeNull();
  });
});

test('the order stands in the path', () => {
  expect(run.feed({ params: { sort: 'downloads' } }).items.length).toBeGreaterThan(0);
});

test('nothing found, too many requests, and a page in place of data', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.search('page')).toThrow('HTML');
});
