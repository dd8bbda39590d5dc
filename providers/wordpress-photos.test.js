const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a photo says whose it is, when and with what it was taken', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '6b961cef7e',
      title: 'Cups & saucers',
      description: 'A coffee cup on a table',
      page: 'https://wordpress.org/photos/photo/6b961cef7e/',
      tags: ['coffee', 'cup', 'food-drink'],
      author: { name: 'Marlow Finch', id: 'marlowfinch' },
      license: { id: 'cc0-1.0' },
      created: '2026-05-05T16:53:20', // the camera's clock
      camera: { model: 'EX-7', aperture: '4', focalLength: '55', iso: 640, exposure: '1/125' },
      extra: { colors: ['brown'], orientation: 'landscape' },
    });
  });

  test('every size is a file, the square one aside', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 4000], ['large', 2048], ['large', 1536], ['regular', 1024], ['regular', 768], ['small', 300],
    ]);
  });

  test('what the camera did not say is left out', () => {
    const [, photo] = run.search('coffee').items;
    expect(photo).not.toHaveProperty('camera');
    expect(photo.created).toBe('2026-05-02T18:50:55Z'); // when it was published
  });

  test('a second page follows the first', () => {
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
  });
});

test('users and tags are looked up by their names', () => {
  expect(run.collection('user:marlowfinch').items).toHaveLength(2);
  expect(run.collection('tag:coffee').items).toHaveLength(3);
});

test('errors are said in the words of WordPress', () => {
  cassette('errors');
  const message = 'The page number requested is larger than the number of pages available.';
  expect(() => run.search({ text: 'too deep', page: 9 })).toThrow({ kind: 'unsupported', message });
  expect(() => run.search('too fast')).toThrow('rate');
  expect(() => run.details('none')).toThrow({ kind: 'notFound', message: 'There is no photo none.' });
  expect(() => run.collection('user:nobody')).toThrow('notFound');
  expect(() => run.collection('tag:none')).toThrow({ kind: 'notFound', message: 'There is no tag none.' });
});

test.each([
  ['https://wordpress.org/photos/photo/6b961cef7e/', '6b961cef7e'],
  ['https://wordpress.org/photos/author/marlowfinch/', 'user:marlowfinch'],
  ['https://wordpress.org/photos/t/coffee/', 'tag:coffee'],
  ['category:food-drink', 'category:food-drink'],
])('%s is %s', (address, id) => {
  expect(run.match(address)).toHaveProperty('id', id);
});

test('nothing found is an empty page', () => {
  expect(run.feed().items).toHaveLength(4);
  expect(run.search('zzzznothing').items).toEqual([]);
});
