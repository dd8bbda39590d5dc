/** @type {import('imgscript').Provider} */
module.exports = require('./data2dome-theme')({
  id: 'eso',
  name: 'ESO',
  root: 'https://www.eso.org/public',
  summary: 'Photographs of the sky, and of the telescopes of the European Southern Observatory.',
  category: 'science',
  hosts: ['www.eso.org'],
  mediaHosts: ['www.eso.org', '*.eso.org'],
  terms: { url: 'https://www.eso.org/public/outreach/copyright/', license: 'CC BY 4.0', attribution: '{credit}' },
});
