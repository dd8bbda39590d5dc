// Holds the cache to https://github.com/http-tests/cache-tests: node run.mjs CACHE-SUITE CHECKOUT
//
// The suite's server and client are its own; only the client's fetch is exchanged for the cache, as a browser's would be.
// Left out are the tests that a private cache in a client is not asked: those for shared caches and CDNs, those of 1xx
// responses, which its callers never see, and those of Authorization, which only shared caches heed.
//
// conditional-lm-fresh-no-lm is not passed by a cache that follows RFC 9111 §4.3.2: the stored `Date` is later than the
// `If-Modified-Since` that the test wants a 304 for (https://github.com/http-tests/cache-tests/issues/204).

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

const [program, checkout] = process.argv.slice(2).map(path => resolve(path))
const port = 8000 + Math.floor(Math.random() * 20000)
const base = `http://127.0.0.1:${port}`
const folder = mkdtempSync(`${tmpdir()}/cache-suite-`)

const { default: suites } = await import(`${checkout}/tests/index.mjs`)
const { runTests, getResults } = await import(`${checkout}/test-engine/client/runner.mjs`)
const { determineTestResult, resultTypes } = await import(`${checkout}/test-engine/lib/results.mjs`)

const isForSharedCaches = test => test.cdn_only ||
  test.browser_skip && /s-maxage|shared|proxy-revalidate|authorization|interim/.test(test.id)
const applicable = suites.map(suite => ({
  ...suite,
  // A fetch that is ours follows no redirects and hides no conditions: what browsers are spared, it is not.
  tests: suite.tests.filter(test => !isForSharedCaches(test)).map(test => ({ ...test, browser_skip: false }))
}))

const server = spawn(process.execPath, [`${checkout}/test-engine/server/server.mjs`], {
  env: { ...process.env, npm_config_protocol: 'http', npm_config_port: `${port}`, npm_config_pidfile: `${folder}/pid` },
  stdio: ['ignore', 'pipe', 'inherit']
})
await new Promise(resolve => server.stdout.once('data', resolve))
server.stdout.resume()

const cache = spawn(program, [`${folder}/cache`], { stdio: ['pipe', 'pipe', 'inherit'] })
const waiting = new Map()
let count = 0
createInterface({ input: cache.stdout }).on('line', line => {
  const answer = JSON.parse(line)
  const { resolve, reject } = waiting.get(answer.id)
  waiting.delete(answer.id)
  if (answer.error) return reject(new TypeError(answer.error))
  resolve({
    status: answer.status,
    statusText: '',
    headers: new Headers(answer.headers ?? []),
    text: async () => answer.body
  })
})

globalThis.fetch = (url, init = {}) => new Promise((resolve, reject) => {
  const id = ++count
  waiting.set(id, { resolve, reject })
  const headers = (init.headers ?? []).map(([name, value]) => [name, `${value}`])
  // What the Fetch Standard makes of a reload.
  if (init.cache === 'no-cache') headers.push(['Cache-Control', 'max-age=0'])
  cache.stdin.write(JSON.stringify({ id, url, method: init.method ?? 'GET', headers, body: init.body ?? '' }) + '\n')
})

await runTests(applicable, true, base)
const results = getResults()
const tally = {}
for (const test of applicable.flatMap(suite => suite.tests)) {
  const kind = test.kind ?? 'required'
  const passed = results[test.id] === true
  tally[kind] ??= { passed: 0, of: 0 }
  tally[kind].of += 1
  if (passed) tally[kind].passed += 1
  if (passed || kind === 'check') continue
  const result = determineTestResult(suites, test.id, results)
  const verdict = Object.keys(resultTypes).find(name => resultTypes[name] === result)
  console.log(`${kind} ${test.id}: ${verdict}: ${results[test.id]?.[1]}`)
}
for (const [kind, { passed, of }] of Object.entries(tally)) console.log(`${kind}: ${passed} of ${of}`)
cache.stdin.end()
server.kill()
rmSync(folder, { recursive: true, force: true })
