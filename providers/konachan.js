/** @type {import('imgscript').Provider} */
module.exports = require('./moebooru-theme')({
  id: 'konachan',
  name: 'Konachan',
  homepage: 'https://konachan.net/',
  summary: 'Wallpapers in the style of anime.',
  category: 'boards',
  adult: true,
  hosts: ['konachan.net', 'konachan.com'],
  mediaHosts: ['konachan.net', 'konachan.com'],
  terms: { url: 'https://konachan.net/static/terms_of_service', license: 'Of their artists, seldom stated' },
});
