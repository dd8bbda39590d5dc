const { test, describe, beforeEach, expect, run, cassette } = require('imgscript/test');

describe('a hashtag', () => {
  /** @type {import('imgscript').Page} */
  let page;
  beforeEach(() => {
    cassette('search');
    page = run.search('coffee');
  });

  test('gives the images of its posts', () => {
    expect(page.items[0]).toMatchObject({
      id: expect.stringMatching(/^115900000000000000-\d+$/),
      page: 'https://mastodon.social/@marlow/115900000000000000',
      author: { name: 'Marlow Finch', id: 'marlow' },
      tags: expect.arrayContaining(['coffee']),
    });
  });

  test('goes on where the Link header says', () => {
    expect(page.next).toBe('115899999982999949');
    const more = run.search({ text: 'coffee', cursor: page.next });
    expect(more.items.map((image) => image.id)).not.toContain(page.items[0].id);
  });

  test('is one word, however it is typed', () => {
    expect(run.search('#cof fee')).toEqual(page);
  });
});

test('an account is looked up once, then paged', () => {
  cassette('collection');
  const first = run.collection('user:marlow');
  expect(first.next).toMatchObject({ account: '990000000000000001' });
  expect(run.collection('user:marlow', { cursor: first.next }).items.length).toBeGreaterThan(0);
});

test.each([['1', 'notFound'], ['2', 'notFound']])('post %s, which has no image, is %s', (id, kind) => {
  expect(() => run.details(id)).toThrow(kind);
});
