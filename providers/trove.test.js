const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a picture of the library has its page, maker, licence and files', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '990000',
      title: 'Lopsided coffee cup [picture]',
      description: 'A study of light.',
      page: 'https://trove.nla.gov.au/work/990000',
      tags: ['Cups', 'Still lifes'],
      author: { name: 'Finch, Marlow' },
      license: { id: 'pdm-1.0' },
      media: [
        { role: 'large', url: 'https://nla.gov.au/nla.obj-990000/image' },
        { role: 'thumbnail', url: 'https://nla.gov.au/nla.obj-990000-t' },
      ],
      extra: { issued: '1900', rights: ['https://creativecommons.org/publicdomain/mark/1.0/'] },
    });
  });

  test('one of another institution has the files that it names', () => {
    const [, second, third] = run.search('coffee').items;
    expect(second.media.map(({ url }) => url)).toEqual([
      'https://images.example.au/990001-view.jpg', 'https://images.example.au/990001-thumb.jpg',
    ]);
    expect(second).toMatchObject({ extra: { source: 'https://collections.example.au/990001' } });
    expect(third.media).toHaveLength(1);
    expect([second.license, third.author]).toEqual([undefined, undefined]);
  });

  test('what is not online is left out, and counted', () => {
    const page = run.search('coffee');
    expect([page.items.length, page.total]).toEqual([19, 23]);
    const last = run.search({ text: 'coffee', cursor: page.next });
    expect(last.items).toHaveLength(3);
    expect(last.next).toBeNull();
  });

  test('filters go to the source', () => {
    const params = { format: 'Photograph', decade: 190, sort: 'dateasc' };
    expect(run.search({ text: 'coffee', params }).items).toHaveLength(1);
  });
});

test('a work is found by its page', () => {
  cassette('details');
  expect(run.match('https://trove.nla.gov.au/work/990000/version/12')).toHaveProperty('id', '990000');
  expect(run.details('990000')).toMatchObject({ id: '990000', title: 'Lopsided coffee cup [picture]' });
});

test('errors are of their kinds', () => {
  cassette('errors');
  expect(() => run.search('bad key')).toThrow('auth');
  expect(() => run.search('bad format')).toThrow({ kind: 'unsupported', message: 'Invalid value for l-format.' });
  expect(() => run.search('too fast')).toThrow('rate');
  expect(() => run.details('1')).toThrow('notFound');
  expect(() => run.details('990003')).toThrow('notFound');
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
});
