const { test, expect, run, cassette } = require('imgscript/test');

test("a post's fields are attributes", () => {
  cassette('search');
  const [post] = run.search('coffee').items;
  expect(post).toMatchObject({
    id: '9960000',
    page: 'https://safebooru.org/index.php?page=post&s=view&id=9960000',
    tags: expect.arrayContaining(['coffee', 'cafe']),
    created: '2026-06-01T05:31:15Z',
    rating: 'safe',
    extra: { creator_id: '99500' }, // a number alone names nobody
  });
  expect(post).not.toHaveProperty('author');
  expect(post.media.map(({ role, width }) => [role, width])).toEqual([
    ['original', 2400], ['large', 850], ['thumbnail', 250],
  ]);
});

test('all is safe: no rating is asked for', () => {
  expect(run.feed().items).toHaveLength(5); // …&tags=&limit=20
  expect(run.collection('user:quietkettle').items).toHaveLength(3);
});

test('pages are counted', () => {
  cassette('search');
  expect(run.search('coffee').total).toBe(26);
  expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(6);
});

test.each([['too deep', 'unsupported'], ['abuse', 'rate'], ['no key', 'auth'],
  ['very far', 'unsupported'], ['text key', 'auth'], ['refused key', 'auth']])('"%s" is %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('a post that is not there is notFound', () => {
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: 'There is no post 1.' });
});
