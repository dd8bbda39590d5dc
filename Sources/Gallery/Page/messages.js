// @ts-check
// Short messages for those who do not see the page.

/**
 * Reads a text aloud that is seen elsewhere.
 * @param {string} text
 */
export function speak(text) {
  const place = document.querySelector('dialog[open]:modal .spoken') ?? document.querySelector('body > .spoken');
  if (place && place.textContent !== text) place.textContent = text;
}
