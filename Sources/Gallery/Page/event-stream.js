// @ts-check
// Reads server-sent events from a response. Unlike EventSource it sees HTTP errors and never connects again by itself.

/**
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ event: string, data: string }[], void, void>} The events of each chunk.
 */
export async function* eventBatches(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      const events = blocks.map(readEvent).filter((event) => event.data !== '');
      if (events.length) yield events;
    }
  } finally {
    reader.cancel().catch(() => {}); // The connection may be gone already.
  }
}

/** @param {string} block */
function readEvent(block) {
  let event = 'message';
  /** @type {string[]} */
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return { event, data: data.join('\n') };
}
