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

test('a work is one item with its pages as files, in order', () => {
  const work = run.details('990000002');
  expect(work).toMatchObject({
    id: '990000002',
    description: 'Drawn with real coffee.\nMore at https://example.com',
    tags: ['コーヒー', 'coffee', 'オリジナル', 'original', 'steam'],
    stats: { views: 2345, likes: 210, favorites: 321, comments: 4 },
  });
  expect(work.media.slice(0, 4)).toMatchObject([
    { role: 'original', file: 1, format: 'png', width: 2400 }, { role: 'regular' }, { role: 'small' },
    { role: 'thumbnail', file: 1 }]);
  expect(work.media.filter((file) => file.role === 'original').map((file) => file.file)).toEqual([1, 2, 3]);
  expect(run.match('https://www.pixiv.net/en/artworks/990000002')).toHaveProperty('id', '990000002');
});

test('an ugoira is an archive with its frames', () => {
  const work = run.details('990000009');
  expect(work).toMatchObject({ type: 'animation', title: 'Steam, moving' });
  expect(work.media[0]).toMatchObject({
    type: 'animation', format: 'zip', frames: [{ file: '000000.jpg', delay: 80 }, { file: '000001.jpg', delay: 120 }],
  });
  expect(work.media.map((file) => file.role)).toEqual(['original', 'regular', 'small', 'thumbnail']);
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

test('the lists of a user follow one another', () => {
  const lists = [];
  let cursor;
  do {
    const page = run.collection('user:11000009', { cursor, params: { include: 'gallery,favorites' } });
    lists.push(...page.items.map(({ extra }) => extra?.list));
    cursor = page.next;
  } while (cursor);
  expect(lists.slice(0, 4)).toEqual(['gallery', 'gallery', 'gallery', 'favorites']);
});

test('a work says whether it was generated', () => {
  const marks = run.search('coffee').items.map(({ aiGenerated }) => aiGenerated);
  expect(marks.filter((mark) => mark === true)).toHaveLength(1);
  expect(marks.filter((mark) => mark === false).length).toBeGreaterThan(1);
});
