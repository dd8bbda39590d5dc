/** @type {import('imgscript').Provider} */
module.exports = require('./gelbooru-theme')({
  id: 'rule34',
  name: 'Rule 34',
  homepage: 'https://rule34.xxx/',
  summary: 'Fan art with thorough tags, most of it explicit.',
  category: 'boards',
  adult: true,
  hosts: ['api.rule34.xxx'],
  mediaHosts: ['*.rule34.xxx'],
  pages: 'https://rule34.xxx',
  // Since 2025 nobody is answered without a key.
  auth: {
    type: 'query',
    fields: { api_key: '{key}', user_id: '{user}' },
    help: 'https://rule34.xxx/index.php?page=account&s=options',
  },
  limits: { pageSize: { max: 1000, default: 20 }, reachable: 200000, rate: ['1/1s'] },
  ratings: ['safe', 'questionable', 'explicit'],
  terms: { url: 'https://api.rule34.xxx/', license: 'Of their artists, seldom stated' },
});
