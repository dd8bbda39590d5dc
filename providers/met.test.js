const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('works without a picture are left out, and paging goes on behind them', () => {
    const page = run.search({ text: 'coffee', limit: 20 });
    expect(page.total).toBe(26);
    expect(page.next).toBe(20);
    expect(page.items.length).toBeLessThan(20);
    for (const { media } of page.items) expect(media[0]).toMatchObject({ role: 'original' });
  });

  test('the last page has no next', () => {
    const page = run.search({ text: 'coffee', limit: 20, cursor: 20 });
    expect(page.next).toBeNull();
    expect(page.items.length).toBeGreaterThan(0);
  });

  test('a work without a title is named after what it is', () => {
    expect(run.search({ text: 'coffee', limit: 20 }).items[0]).toMatchObject({ id: '990000', title: 'Coffeepot' });
  });
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], total: 0 });
});

test("the guard's page is told of as what it is", () => {
  cassette('errors');
  expect(() => run.search('blocked')).toThrow('blocked');
});

test('a work says who made it, and that anyone may use it', () => {
  expect(run.details('990001')).toMatchObject({
    title: 'Latte with a lopsided heart',
    page: 'https://www.metmuseum.org/art/collection/search/990001',
    tags: ['Coffeepots'],
    author: { name: 'Petra Mustermann', url: 'https://www.wikidata.org/wiki/Q9999001' },
    license: { id: 'cc0-1.0' },
    created: '1735',
  });
  expect(run.details('990000').extra).not.toHaveProperty('culture', ''); // what is empty is not known
});

test('all pictures of a work are a collection, each with an id that finds it again', () => {
  const { items } = run.collection('990003');
  expect(items.map((view) => view.id)).toEqual(['990003', '990003/1', '990003/2', '990003/3']);
  expect(run.details('990003/2').media).toEqual(items[2].media);
});

test('a work under copyright has no picture to show', () => {
  cassette('search', 'errors');
  expect(run.search('withheld')).toMatchObject({ items: [] });
  expect(() => run.details('990009')).toThrow({ kind: 'notFound' });
  expect(() => run.details('1')).toThrow('notFound');
});

test('filters are sent, lists joined by a bar', () => {
  expect(run.search({ text: 'urn', params: { departmentId: 12, medium: ['Silver'] } }).items).toHaveLength(2);
});
