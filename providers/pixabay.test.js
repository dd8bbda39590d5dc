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

test.each(['photos/coffee-beans-99100000/', 'de/photos/kaffee-99100000/'])('%s is a page of an image', (path) => {
  expect(run.match(`https://pixabay.com/${path}`)).toHaveProperty('id', '99100000');
});
