const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an animation says what it shows and who made it', () => {
    expect(run.search('coffee').items[1]).toMatchObject({
      id: 'xInv00000001',
      title: 'Latte with a lopsided heart GIF',
      description: 'Latte with a lopsided heart, in a loop',
      page: 'https://giphy.com/gifs/latte-with-a-lopsided-heart-xInv00000001',
      author: { name: 'Petra Mustermann', id: 'petra_mustermann', url: 'https://giphy.com/petra_mustermann/' },
      created: '2022-03-02T14:05:09',
      rating: 'safe',
    });
  });

  test('numbers that come as text are numbers; texts that are empty are absent', () => {
    const [untitled] = run.search('coffee').items;
    expect(untitled).not.toHaveProperty('title');
    expect(untitled).not.toHaveProperty('author');
    expect(untitled.media.slice(0, 2)).toMatchObject([
      { role: 'original', width: 480, height: 270, bytes: 907200, format: 'gif' },
      { role: 'original', width: 480, height: 270, bytes: 388800, format: 'webp' },
    ]);
  });

  test('a rendition that is the same file as another is there once', () => {
    for (const { media } of run.search('coffee').items) {
      expect(new Set(media.map((file) => file.url)).size).toBe(media.length);
    }
  });

  test('films and stills are kept aside', () => {
    expect(run.search('coffee').items[0].extra).toMatchObject({ mp4: expect.any(String), stills: expect.anything() });
  });

  test('pages go by offset', () => {
    expect(run.search('coffee')).toMatchObject({ total: 29 });
    expect(run.search({ text: 'coffee', offset: 25 }).items).toHaveLength(4);
  });
});

test('stickers are asked for elsewhere', () => {
  const [sticker] = run.feed({ params: { kind: 'stickers', rating: 'g' } }).items;
  expect(sticker.page).toMatch(/giphy\.com\/stickers\//);
});

test('PG-13 is sensitive', () => {
  expect(run.details('xInv00000003').rating).toBe('sensitive');
});

test('the status inside the answer decides', () => {
  cassette('errors');
  expect(() => run.search('bad key')).toThrow('auth');
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.details('notthere')).toThrow('notFound');
});

test("a page's address ends in the id", () => {
  expect(run.match('https://giphy.com/gifs/cat-typing-xInv00000001')).toHaveProperty('id', 'xInv00000001');
});
