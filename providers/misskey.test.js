const { test, expect, run, cassette } = require('imgscript/test');

test('a note with several pictures is one item; without any it is none', () => {
  const { items } = run.search('coffee');
  expect(items).toHaveLength(18); // of 20 notes; one has no file, one an archive
  expect(items[1].media.map(({ file, role }) => [file, role])).toEqual([[1, 'original'], [1, 'small'], [2, 'original'], [2, 'small']]);
});

test('a note that repeats another is that other', () => {
  expect(run.search('coffee').items[2]).toMatchObject({ description: 'Coffee stains on a map #coffee' });
});

test('a film is a video, of which a still is shown', () => {
  const film = run.search('coffee').items.find(({ type }) => type === 'video');
  expect(film?.media).toMatchObject([{ type: 'video', format: 'mp4' }, { role: 'small', type: 'image' }]);
});

test('people of other servers have their server in their name', () => {
  expect(run.search('coffee').items[4].author).toMatchObject({ id: 'wren@other.example', url: 'https://misskey.io/@wren@other.example' });
});

test('a warning, or a picture that is sensitive, makes the note so', () => {
  const ratings = run.search('coffee').items.map(({ rating }) => rating);
  expect(ratings.filter((rating) => rating === 'sensitive')).toHaveLength(2);
});

test.each([['ratelimit', 'rate', 'tag'], ['words', 'auth', 'words']])('“%s” is an error of kind %s', (text, kind, params) => {
  cassette('errors');
  expect(() => run.search({ text, params: { kind: params } })).toThrow(kind);
});
