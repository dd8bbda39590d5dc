/** @type {import('imgscript').Provider} */
module.exports = require('./shimmie-theme')({
  id: 'shimmie',
  name: 'Shimmie',
  homepage: 'https://github.com/shish/shimmie2',
  summary: 'Images of any site that runs Shimmie 2.',
  category: 'boards',
  instance: { help: 'A site that runs Shimmie 2.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'],
  terms: { license: 'Of their artists, seldom stated' },
});
