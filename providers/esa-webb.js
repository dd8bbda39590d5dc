/** @type {import('imgscript').Provider} */
module.exports = require('./data2dome-theme')({
  id: 'esa-webb',
  name: 'ESA/Webb',
  root: 'https://esawebb.org',
  summary: 'Photographs of the sky by the James Webb Space Telescope.',
  category: 'science',
  hosts: ['esawebb.org'],
  mediaHosts: ['esawebb.org', '*.esawebb.org'],
  terms: { url: 'https://esawebb.org/copyright/', license: 'CC BY 4.0', attribution: '{credit}' },
});
