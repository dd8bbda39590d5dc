const { test, expect, run } = require('imgscript/test');

test('a post of the Danbooru API', () => {
  expect(run.search('coffee').items[1]).toMatchObject({
    id: '9899',
    page: 'https://shimmie.example/post/view/9899',
    tags: ['coffee', 'latte', 'with', 'a'],
    author: { name: 'Petra' },
    created: '2026-05-02T10:20:30',
    media: [{ role: 'original', width: 1600, height: 1200, format: 'jpeg' }, { role: 'thumbnail', width: 192, height: 144 }],
  });
});

test('a site without that API is read by its pages, from the first to the last', () => {
  const first = run.collection('tags:tea');
  expect(first.items).toHaveLength(4);
  expect(first.next).toEqual({ page: 2, form: 'html' });
  expect(first.items[1]).toMatchObject({
    id: '9829', rating: 'safe', media: [{ url: expect.stringMatching(/\/_images\/[0-9a-f]{32}\/9829\.png$/) }, { role: 'thumbnail' }],
  });
  const last = run.collection('tags:tea', { cursor: first.next });
  expect(last.items).toHaveLength(2);
  expect(last.next).toBeNull();
  expect(run.details('9830')).toMatchObject({ created: expect.stringMatching(/^2026-05-03T10:20:30/), media: [{ role: 'original', width: 1600 }, {}] });
});

test('a post that is not there is notFound', () => {
  expect(() => run.details('1')).toThrow('notFound');
});

test('lists of tags are collections', () => {
  expect(run.match('https://shimmie.example/post/list/cat%20hat/1')).toMatchObject({ id: 'tags:cat hat', type: 'collection' });
});
