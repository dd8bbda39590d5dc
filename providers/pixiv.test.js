const { test, expect, run } = require('imgscript/test');

test('a search lists works, without advertisements and what is hidden', () => {
  const page = run.search('coffee');
  expect(page.items).toHaveLength(30);
  expect(page).toMatchObject({ total: 39, next: 2 });
  expect(page.items[0]).toMatchObject({
    id: '990000001',
    title: 'Latte weather',
    page: 'https://www.pixiv.net/artworks/990000001',
    author: { name: 'Aurelio Prado', id: '11000002', url: 'https://www.pixiv.net/users/11000002' },
    created: '2026-05-02T12:30:01+09:00',
    rating: 'safe',
    tags: ['コーヒー', 'coffee', 'オリジナル'],
    media: [
      { role: 'regular', url: 'https://i.pximg.net/img-master/img/2026/05/02/12/30/01/990000001_p0_master1200.jpg' },
      { role: 'thumbnail', headers: { Referer: 'https://www.pixiv.net/' } },
    ],
  });
  expect(run.search({ text: 'coffee', cursor: page.next }).next).toBeNull();
});

test('details are about one page of a work, and have its file', () => {
  expect(run.details('990000002')).toMatchObject({
    id: '990000002',
    description: 'Drawn with real coffee.\nMore at https://example.com',
    tags: ['コーヒー', 'coffee', 'オリジナル', 'original', 'steam'],
    stats: { views: 2345, likes: 210, favorites: 321, comments: 4 },
    media: [{ role: 'original', format: 'png', width: 2400 }, { role: 'regular' }, { role: 'small' }, { role: 'thumbnail' }],
  });
  expect(run.details('990000002/3').media[0]).toMatchObject({
    url: 'https://i.pximg.net/img-original/img/2026/05/03/12/30/02/990000002_p2.png', width: 2200,
  });
});

test('a work is a collection of its pages, in order', () => {
  expect(run.collection('work:990000002').items.map((item) => item.id))
    .toEqual(['990000002', '990000002/2', '990000002/3']);
});

test('the works of a user are listed from the newest, illustrations and manga together', () => {
  const page = run.collection('user:11000001');
  expect(page.items.map((item) => item.id).slice(0, 2)).toEqual(['990000060', '990000059']);
  expect(page).toMatchObject({ total: 60, next: 990000013 });
  expect(run.collection('user:11000001', { cursor: page.next })).toMatchObject({ next: null });
});

test('bookmarks leave out what is hidden', () => {
  expect(run.collection('bookmarks:11000002').items.map((item) => item.id)).toEqual(['990000003', '990000008']);
});

test('a ranking goes on to its end', () => {
  const page = run.feed();
  expect(page.items[0]).toMatchObject({ id: '990000001', extra: { rank: 1 }, stats: { views: 1001 } });
  expect(run.feed({ cursor: page.next }).next).toBeNull();
});

test('failures', () => {
  expect(run.search('zzzznothing')).toMatchObject({ items: [], next: null });
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.details('1')).toThrow('notFound');
  expect(() => run.details('anna')).toThrow('is not a work');
});
