const { test, expect, run, cassette } = require('imgscript/test');

test('a match says how similar it is, and where the picture is from', () => {
  const [pixiv, board, anime] = run.similar().items;
  expect(pixiv).toMatchObject({
    title: 'Cat asleep beside a mug', author: { name: 'Tessera Quill', id: '990001' }, extra: { similarity: 95.12, pixiv_id: 99000001 },
    page: 'https://www.pixiv.net/member_illust.php?mode=medium&illust_id=99000001',
  });
  expect(board).toMatchObject({ tags: ['original', 'marlow', 'wren'], author: { name: 'tessera quill' } });
  expect(anime).toMatchObject({ title: 'Invented Café, 03', created: '2019', rating: 'explicit' });
});

test('matches may be limited to those that are alike', () => {
  expect(run.similar({ params: { minimum: 90 } }).items).toHaveLength(2);
});

test.each([['busy', 'rate'], ['key', 'auth'], ['small', 'unsupported']])('%s.jpg is an error of kind %s', (name, kind) => {
  cassette('errors');
  expect(() => run.similar({ image: `https://pictures.example/${name}.jpg` })).toThrow(kind);
});
