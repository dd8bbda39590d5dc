const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an image has tags in place of a title', () => {
    const [image] = run.search('coffee').items;
    expect(image).not.toHaveProperty('title');
    expect(image.tags).toEqual(['coffee', 'beans', 'roast', 'linen', 'texture']);
    expect(image.stats).toMatchObject({ views: 1000, downloads: 700 });
  });

  test('a small size is the web format, made smaller', () => {
    const [{ media }] = run.search('coffee').items;
    const byRole = Object.fromEntries(media.map((file) => [file.role, file]));
    expect(byRole.small.url).toBe(byRole.regular.url.replace('_640.', '_340.'));
    expect(byRole.regular).toMatchObject({ width: 480, height: 640 });
  });

  test('the second page brings other images', () => {
    const first = run.search({ text: 'coffee' }).items.map((image) => image.id);
    const second = run.search({ text: 'coffee', page: 2 }).items.map((image) => image.id);
    expect(first).toHaveLength(20);
    expect(second).toHaveLength(3);
    expect(second).not.toContain(first[0]);
  });
});

test('an id that is not known is notFound', () => {
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: 'Pixabay has no image 1.' });
});

test.each([
  'photos/coffee-beans-99100000/', 'de/photos/kaffee-99100000/', 'images/id-99100000/', 'de/images/id-99100000/',
  'gifs/coffee-steam-99100000/', 'fr/gifs/vapeur-99100000/',
])('%s is a page of an image', (path) => {
  expect(run.match(`https://pixabay.com/${path}`)).toHaveProperty('id', '99100000');
});

test('only full access gives the original, and the drawing it was made from', () => {
  const { media } = run.details('99124997');
  expect(media.slice(0, 2)).toMatchObject([
    { role: 'original', width: 900, height: 1350, bytes: 1880247 }, { role: 'original', format: 'svg' },
  ]);
  expect(run.details('99100000').media[0].role).toBe('large');
});

test('an image says whose it is', () => {
  expect(run.details('99100000')).toMatchObject({
    author: { name: 'jean-exemple', id: '99004036', url: 'https://pixabay.com/users/jean-exemple-99004036/' },
    license: { id: 'pixabay', name: 'Pixabay Content License' },
    extra: { type: 'photo', imageWidth: 3024, imageHeight: 4032 }, // of the original, which is not given
  });
});

test('the newest are another list', () => {
  expect(run.feed({ params: { order: 'latest' } }).items[0].id).not.toBe(run.feed().items[0].id);
});

test('errors are plain text', () => {
  cassette('errors');
  expect(() => run.search('bad key')).toThrow({ kind: 'auth' });
  expect(() => run.search('challenge')).toThrow('blocked'); // with status 429
  expect(() => run.search('rate limit')).toThrow('rate');
  const far = { text: 'past the end', page: 26 };
  expect(() => run.search(far)).toThrow({ kind: 'unsupported', message: '"page" is out of valid range.' });
});

test('a video is as large as there is of it', () => {
  const [medium, large] = run.search({ text: 'coffee', params: { kind: 'videos' } }).items;
  expect(medium).toMatchObject({ id: 'video:99600000', type: 'video', media: [{ role: 'original', width: 1920 }, {}, {}, { type: 'image' }] });
  expect(large.media[0]).toMatchObject({ role: 'original', width: 3840, bytes: 21000000, format: 'mp4' });
  expect(run.match('https://pixabay.com/videos/coffee-cup-99600003/')).toHaveProperty('id', 'video:99600003');
});
