const { test, describe, expect, run, cassette } = require('imgscript/test');

// Any server: samples are of one that is invented.
describe('search', () => {
  cassette('search');

  test('relative addresses count from the server', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '9800',
      page: 'https://booru.example/post/9800',
      tags: ['coffee', 'latte_art', 'from_above', 'spoon', 'saucer', 'tessera_quill'],
      author: { name: 'Ferncombe', url: 'https://booru.example/user/Ferncombe' },
      created: '2026-03-01T11:00:45.123456Z',
      stats: { score: 0, favorites: 0, comments: 0 },
      rating: 'safe',
      media: [
        {
          role: 'original', url: 'https://booru.example/data/posts/9800_8419f9d3d69415e1.jpg',
          width: 2400, height: 1600, bytes: 330000, format: 'jpeg',
        },
        { role: 'thumbnail' },
      ],
    });
  });

  test('tags keep the kind they are of', () => {
    expect(run.search('coffee').items[0].extra?.categories).toHaveProperty('coffee');
  });

  test('pages go by offset', () => {
    expect(run.search('coffee').total).toBe(25);
    expect(run.search({ text: 'coffee', offset: 20 }).items).toHaveLength(5);
  });
});

test('a pool keeps its own order, and another may be asked for', () => {
  expect(run.collection('pool:31').items).toHaveLength(3);
  expect(run.feed({ params: { sort: 'score' } }).items).toHaveLength(3);
});

test('the server says what is wrong', () => {
  cassette('errors');
  expect(() => run.search('id:x..y')).toThrow({ kind: 'unsupported', message: "'x' is not an integer." });
  expect(() => run.search('private')).toThrow({ kind: 'auth', message: 'Insufficient privileges to do this.' });
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: "Post '1' not found." });
});
