const { test, expect, run, cassette } = require('imgscript/test');

test('files lie on a server of their own', () => {
  cassette('search');
  const page = run.search('coffee');
  expect(page.total).toBe(23);
  expect(page.items[0]).toMatchObject({ id: '9950000', page: 'https://yande.re/post/show/9950000', rating: 'safe' });
  expect(page.items[0].media.map((file) => new URL(file.url).host)).toEqual(expect.arrayContaining([
    'files.yande.re', 'assets.yande.re',
  ]));
});

test('the second page follows', () => {
  expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
});

test('a page of the site is a post, with or without its words', () => {
  expect(run.match('https://yande.re/post/show/9949994')).toHaveProperty('id', '9949994');
  expect(run.match('https://yande.re/post/show/9949994/coffee-latte_art')).toHaveProperty('id', '9949994');
  expect(run.details('9949994').tags).toContain('coffee');
});

test.each([['rate limit', 'rate'], ['closed', 'blocked']])('"%s" is an error of kind %s', (text, kind) => {
  expect(() => run.search(text)).toThrow(kind);
});

test('what is popular comes on one page', () => {
  const page = run.feed({ params: { list: 'popular' } });
  expect(page).toMatchObject({ next: null });
  expect(page.items.map((post) => post.id)).toContain('9951850');
});
