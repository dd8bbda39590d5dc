const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a search', () => {
  cassette('search');

  test('finds models, of which each shows a picture', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(19); // of 20 models, one without a version
    expect(page.items[0]).toMatchObject({
      id: '87000000',
      title: 'Lopsided coffee cup style',
      description: 'Draws a coffee cup. Invented.',
      page: 'https://civitai.com/models/700000',
      tags: ['style', 'still life'],
      author: { name: 'marlowfinch' },
      stats: { downloads: 900, likes: 90, comments: 3 },
      rating: 'safe',
      extra: { model: 700000, model_type: 'Checkpoint', base_model: 'Invented XL' },
    });
    expect(page.items[0].media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 832], ['regular', 832], ['thumbnail', 450],
    ]);
    expect(page.items[0].media[0].url).toMatch('/original=true/87000000.jpeg');
  });

  test('passes over films and what is too explicit', () => {
    const { items } = run.search('coffee');
    expect(items[2].id).toBe('87000021'); // the second, whose number stands in its URL
    expect(items[3].id).toBe('87000031');
    expect(run.search({ text: 'coffee', params: { nsfw: 'Mature' } }).items[0].rating).toBe('questionable');
  });

  test('goes on with the cursor', () => {
    expect(run.search({ text: 'coffee', cursor: run.search('coffee').next })).toMatchObject({ next: null });
  });
});

test('the feed is pictures, rated by their level', () => {
  expect(run.feed().items).toHaveLength(5);
  const { items } = run.feed({ params: { sort: 'Newest', period: 'Week', nsfw: 'X' } });
  expect(items.map((item) => item.rating)).toEqual(['safe', 'sensitive', 'questionable', 'explicit']);
});

test('details have the prompt', () => {
  expect(run.details('88000000')).toMatchObject({
    description: 'lopsided coffee cup, still life',
    created: '2026-05-01T21:28:57.225Z',
    extra: { meta: { steps: 30 } },
  });
});

test('users, models and posts are collections', () => {
  expect(run.collection('user:marlowfinch').items).toHaveLength(2);
  expect(run.collection('model:700000').items).toHaveLength(3);
  expect(run.collection('post:19000').items).toHaveLength(1);
});

test.each([
  ['https://civitai.com/images/12', '12'],
  ['https://civitai.com/models/700000/lopsided-cup', 'model:700000'],
  ['https://civitai.com/user/marlowfinch/images', 'user:marlowfinch'],
  ['https://civitai.com/posts/19000', 'post:19000'],
])('%s is %s', (address, id) => {
  expect(run.match(address)).toHaveProperty('id', id);
});

test('errors are said in the words of Civitai', () => {
  cassette('errors');
  expect(() => run.search('too fast')).toThrow({ kind: 'rate', message: 'Too many requests' });
  expect(() => run.search('bad key')).toThrow({ kind: 'auth', message: 'Unauthorized' });
  expect(() => run.search('bad query')).toThrow({ message: 'Civitai did not accept the request.' });
  expect(() => run.details('1')).toThrow('notFound');
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});

test('every picture is a generated one', () => {
  for (const { aiGenerated } of run.feed().items) expect(aiGenerated).toBe(true);
});

test.each([
  ['https://civitai.red/images/88000000', '88000000', 'image'],
  ['https://civitai.red/models/700000/invented', 'model:700000', 'collection'],
  ['https://civitai.com/user/marlowfinch', 'user:marlowfinch', 'collection'],
])('%s is %s', (address, id, type) => {
  expect(run.match(address)).toMatchObject({ id, type });
});
