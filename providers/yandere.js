/** @type {import('imgscript').Provider} */
module.exports = require('./moebooru-theme')({
  id: 'yandere',
  name: 'yande.re',
  homepage: 'https://yande.re/',
  summary: 'Scans and illustrations in the style of anime, in high resolution.',
  category: 'boards',
  adult: true,
  hosts: ['yande.re'],
  mediaHosts: ['files.yande.re', 'assets.yande.re'],
  terms: { url: 'https://yande.re/static/terms_of_service', license: 'Of their artists, seldom stated' },
});
