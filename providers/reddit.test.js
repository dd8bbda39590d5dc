const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a post with an image says who posted it, where and when', () => {
    const [post] = run.search('coffee').items;
    expect(post).toMatchObject({
      id: '9inv00',
      title: 'Enamel coffee pot on a blue stove',
      page: 'https://www.reddit.com/r/examplecoffee/comments/9inv00/enamel_coffee_pot_on_a_blue_stove/',
      tags: ['OC'],
      author: { name: 'odalysfernwick', url: 'https://www.reddit.com/user/odalysfernwick' },
      created: '2024-04-24T23:06:40Z',
      stats: { score: 700, comments: 0 },
      rating: 'safe',
      extra: { subreddit: 'examplecoffee', is_original_content: true },
    });
    expect(post.media[0]).toEqual({ role: 'original', url: 'https://pictures.example/6a7e303466f8d.jpg' });
    expect(post.media[1]).toMatchObject({ role: 'large', width: 4000, height: 3000 });
  });

  test('a gallery is one item with its pictures as files, in its own order', () => {
    const found = run.search('coffee').items.filter((image) => image.id === '9inv04');
    expect(found).toHaveLength(1);
    const originals = found[0].media.filter((file) => file.role === 'original');
    expect(originals.map((file) => file.file)).toEqual([1, 2, 3]);
    expect(originals[0].url).toMatch('med04a');
  });

  test('posts of words alone are passed over', () => {
    const ids = run.search('coffee').items.map((image) => image.id);
    expect(ids).not.toContain('9inv09');
    expect(ids).not.toContain('9inv19');
  });

  test('a deleted account is no author; posts for adults are sensitive', () => {
    const byId = Object.fromEntries(run.search('coffee').items.map((image) => [image.id, image]));
    expect(byId['9inv05']).not.toHaveProperty('author');
    expect(byId['9inv11']).toHaveProperty('rating', 'sensitive');
  });

  test('the next page comes after the last post', () => {
    const page = run.search('coffee');
    expect(page.next).toBe('t3_9inv24');
    expect(run.search({ text: 'coffee', cursor: page.next }).next).toBeNull();
  });

  test("a community of one's own is searched alone", () => {
    const params = { subreddit: 'examplecoffee', sort: 'top', t: 'year' };
    expect(run.search({ text: 'moka', params }).items[0].title).toMatch('Moka');
  });
});

test('a community and a user are collections, a post is an item', () => {
  expect(run.details('9inv04').media.filter((file) => file.role === 'original')).toHaveLength(3);
  expect(run.collection('r:examplecoffee').items).toHaveLength(4);
  expect(run.collection('user:petra_mustermann').items).toHaveLength(3);
  expect(run.match('https://www.reddit.com/r/pics/comments/9inv04/untitled/')).toEqual(
    expect.objectContaining({ id: '9inv04' }));
});

describe('a post without post_hint', () => {
  const byId = () => Object.fromEntries(run.collection('r:examplepots').items.map((image) => [image.id, image]));

  test('is an image where it links to a file of one', () => {
    expect(byId()['9inw00'].media).toEqual([{ role: 'original', url: 'https://i.redd.it/1a2b3c.png' }]);
    expect(byId()['9inw01'].media[0].url).toBe('https://pictures.example/cup.JPEG?size=big');
  });

  test('is none where it links to a page', () => {
    expect(Object.keys(byId()).sort()).toEqual(['9inw00', '9inw01', '9inw04', '9inw06']);
  });

  test('has the pictures in its text, without the films', () => {
    const files = byId()['9inw04'].media.filter((file) => file.role === 'original');
    expect(files.find((file) => file.format === 'png')).toMatchObject({ width: 1024 });
    expect(files.find((file) => file.format === 'gif')).toMatchObject({ url: 'https://i.redd.it/gif00a.gif' });
  });

  test('is a video where Reddit has the film', () => {
    expect(byId()['9inw06']).toMatchObject({ type: 'video', extra: { has_audio: true } });
    expect(byId()['9inw06'].media).toEqual([{
      role: 'original', type: 'video', url: 'https://v.redd.it/7inw06/DASH_720.mp4?source=fallback', width: 1280,
      height: 720, format: 'mp4' }]);
  });
});

test('a short address to share leads to a post', () => {
  const item = run.match('https://www.reddit.com/r/examplepots/s/Ab1Cd2Ef3');
  expect(item).toMatchObject({ id: 'share:examplepots/Ab1Cd2Ef3', type: 'collection' });
  expect(run.collection(item ?? '').items.map((image) => image.id)).toEqual(['9inw00']);
});

test.each([
  ['https://old.reddit.com/r/pics/comments/9inv04/', '9inv04'],
  ['https://old.reddit.com/r/pics/comments/9inv04/untitled/', '9inv04'],
  ['https://www.reddit.com/r/pics/comments/9inv04/untitled/kx1y2z3/', '9inv04'],
  ['https://www.reddit.com/comments/9inv04', '9inv04'],
  ['https://redd.it/9inv04', '9inv04'],
  ['https://www.reddit.com/user/anna/comments/9inv04/untitled', '9inv04'],
  ['https://new.reddit.com/gallery/9inv04', '9inv04'],
  ['https://www.reddit.com/r/pics/top/?t=year', 'r:pics'],
  ['https://old.reddit.com/r/pics', 'r:pics'],
  ['https://www.reddit.com/u/anna', 'user:anna'],
  ['https://old.reddit.com/user/anna/submitted/', 'user:anna'],
  ['https://www.reddit.com/u/anna/s/Ab1Cd2Ef3', 'share:user/anna/Ab1Cd2Ef3'],
])('%s is %s', (url, id) => {
  expect(run.match(url)).toMatchObject(id.includes(':') ? { id, type: 'collection' } : { id });
});

test('a post without an image is notFound, as is one that is gone', () => {
  cassette('errors');
  expect(() => run.details('9invtx')).toThrow('The post has no image.');
  expect(() => run.details('9gone0')).toThrow('notFound');
});

test('a private community, and a guard before the API, are no wrong keys', () => {
  cassette('errors');
  const closed = { text: 'private', params: { subreddit: 'closedkettles' } };
  expect(() => run.search(closed)).toThrow({ kind: 'blocked', message: expect.stringContaining('(private)') });
  expect(() => run.search('guard')).toThrow('blocked');
  expect(() => run.collection('share:examplecoffee/Xguard1')).toThrow('blocked');
});

test.each([['bad key', 'auth'], ['rate limit', 'rate']])('"%s" is an error of kind %s', (text, kind) => {
  expect(() => run.search(text)).toThrow(kind);
});

test('whoever is logged in sees what they have saved, without comments', () => {
  cassette('collection');
  const page = run.collection('saved:me');
  expect(page.items.map((image) => image.id)).toEqual(['9inv01']);
  expect(page.next).toEqual({ user: 'petra_mustermann', after: 't1_9invc1' });
  expect(run.collection('saved:me', { cursor: page.next })).toMatchObject({ items: [{ id: '9inv17' }], next: null });
  expect(run.match('https://old.reddit.com/user/me/saved')).toHaveProperty('id', 'saved:me');
});
