// Flickr’s answers, in JSON or in XML: https://www.flickr.com/services/api/response.rest.html

module.exports = { read };

/** The answer; one in XML, the API’s first form, as JSON has it. @param {import('imgscript').Response} res */
function read(res) {
  return res.text.trimStart().startsWith('<') ? object(res.xml.documentElement) : res.json;
}

/** @param {import('imgscript').Element} element */
function object(element) {
  /** @type {any} */
  const value = Object.fromEntries(element.attributes.map((attribute) => [attribute.name, attribute.value]));
  for (const child of element.children) {
    const listed = /^(photos|photoset|tags|sizes|urls|notes)$/.test(element.localName) || child.localName === 'exif';
    if (listed) (value[child.localName] ??= []).push(object(child));
    else value[child.localName] = object(child);
  }
  if (!element.children.length && element.textContent) value._content = element.textContent;
  return value;
}
