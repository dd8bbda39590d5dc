const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an entry has its artist among the credits, the first of which is the name', () => {
    const [work] = run.search('coffee').items;
    expect(work).toMatchObject({
      id: '990000000',
      title: 'Enamel coffee pot on a blue stove',
      description: 'Oil on board.',
      page: 'https://www.deviantart.com/odalysfernwick/art/Enamel-coffee-pot-on-a-blue-stove-990000000',
      author: { name: 'odalysfernwick' },
      created: '2024-05-01T17:00:00Z',
      media: [{ role: 'original', width: 1280, height: 960 }, { role: 'thumbnail', width: 150, height: 150 }],
    });
  });

  test('literature, which has a small picture alone, is passed over', () => {
    const { items } = run.search('coffee');
    expect(items).toHaveLength(59); // of 60
    expect(items.map((work) => work.id)).not.toContain('990000003');
  });

  test('what is for adults says so', () => {
    const byId = Object.fromEntries(run.search('coffee').items.map((work) => [work.id, work]));
    expect(byId['990000005']).toHaveProperty('rating', 'sensitive');
    expect(byId['990000000']).not.toHaveProperty('rating');
  });

  test("goes on where the feed's link to the next says", () => {
    expect(run.search('coffee').next).toBe(60);
    expect(run.search({ text: 'coffee', cursor: 60 }).next).toBeNull();
  });

  test('the newest are another order', () => {
    expect(run.search({ text: 'coffee', params: { sort: 'newest' } }).items).toHaveLength(2);
  });
});

test('a gallery is a collection', () => {
  for (const work of run.collection('user:kwame_invented').items) expect(work.author?.name).toBe('kwame_invented');
  expect(run.match('user:kwame_invented')).toMatchObject({ type: 'collection' });
});

test('nothing found is an empty feed; refusals have kinds of their own', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
  expect(() => run.search('gone')).toThrow('notFound');
});
