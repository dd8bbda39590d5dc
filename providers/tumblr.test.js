const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a tag', () => {
  cassette('search');

  test('gives the images of its posts, in every size', () => {
    const [image] = run.search('coffee').items;
    expect(image).toMatchObject({
      id: 'marlowfinch/700000000000000000/1',
      title: 'Lopsided coffee cup',
      description: 'Lopsided coffee cup & more',
      tags: ['coffee', 'still life'],
      author: { name: 'marlowfinch', url: 'https://www.tumblr.com/marlowfinch' },
      colors: ['#a24615', '#3b6e8f'],
      stats: { notes: 10 },
    });
    expect(image.media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 2048], ['large', 1280], ['regular', 640], ['small', 400], ['small', 250], ['thumbnail', 100],
    ]); // without the square that is cropped
  });

  test('reads several images, posts that are passed on, and answers of the old form; texts have none', () => {
    const { items } = run.search('#coffee');
    expect(items).toHaveLength(20); // of 20 posts: one has two images, one none
    expect(items[3]).toMatchObject({ author: { name: 'ferncombeash' }, extra: { blog: 'petramustermann' } });
    expect(items[4]).toMatchObject({ title: 'Old kettle', media: [{ role: 'original', width: 1280 }, { width: 500 }] });
  });

  test('goes on before the last post, until there is none', () => {
    const first = run.search('coffee');
    const second = run.search({ text: 'coffee', cursor: first.next });
    expect(second.items).toHaveLength(2);
    expect(run.search({ text: 'coffee', cursor: second.next })).toEqual({ items: [], next: null });
  });
});

test('one image of a post has its number', () => {
  const id = 'odalysfernwick/699999999999998995';
  expect(run.details(`${id}/2`).id).toBe(`${id}/2`);
  expect(run.collection(`post:${id}`).items).toHaveLength(2);
});

test('of a blog, what it passes on is left out unless it is asked for', () => {
  cassette('collection');
  expect(run.collection('blog:marlowfinch').items).toHaveLength(2);
  expect(run.collection('blog:marlowfinch', { params: { reblogs: true } }).items).toHaveLength(3);
  expect(run.collection('tag:red fox').items).toHaveLength(1);
});

test('errors are said in the words of Tumblr', () => {
  cassette('errors');
  expect(() => run.search('bad key')).toThrow({ kind: 'auth', message: 'Unable to authorize' });
  expect(() => run.search('too fast')).toThrow('rate');
  expect(() => run.collection('blog:nobody')).toThrow('notFound');
  expect(() => run.details('marlowfinch/1')).toThrow({ kind: 'notFound', message: 'Not Found' });
});

test.each([
  ['https://www.tumblr.com/marlowfinch/700/lopsided-cup', 'marlowfinch/700'],
  ['https://www.tumblr.com/marlowfinch', 'blog:marlowfinch'],
  ['https://www.tumblr.com/tagged/coffee', 'tag:coffee'],
])('%s is %s', (address, id) => {
  expect(run.match(address)).toHaveProperty('id', id);
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});

test('whoever is logged in sees their likes and their dashboard', () => {
  cassette('collection');
  const page = run.collection('likes:me');
  expect(page.items).toHaveLength(2);
  expect(run.collection('likes:me', { cursor: page.next })).toEqual({ items: [], next: null });
  expect(run.collection('dashboard:me')).toMatchObject({ items: [{ extra: { blog: 'marlowfinch' } }], next: null });
  expect(run.match('https://www.tumblr.com/liked/by/anna')).toHaveProperty('id', 'likes:anna');
  expect(run.match('https://www.tumblr.com/anna/likes')).toHaveProperty('id', 'likes:anna');
  expect(run.match('https://www.tumblr.com/likes')).toHaveProperty('id', 'likes:me');
});
