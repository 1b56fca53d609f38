import { expect, test } from 'vitest'
import { createGateway } from '../createGateway.ts'

const types: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  json: 'application/json',
  md: 'text/markdown',
}
const html = '<head><title>edgebook</title></head>'
const files = [
  ...['/console/index.html', '/console/assets/index-Ab_1cdEf.js', '/console/assets/licenses.md', '/console/icon.svg'],
  '/console/manifest.json',
  '/docs/index.html',
]

/** Responds like the platform's binding. */
const findAsset = async (path: string): Promise<Response> => {
  const type = types[path.split('.').at(-1) ?? ''] ?? ''
  if (!files.includes(path)) return new Response(null, { status: 404 })
  return new Response(path, { headers: { 'Content-Type': type, ETag: '"abc"', 'Cache-Control': 'public, max-age=0' } })
}
const gateway = createGateway({ workers: {}, version: '1', findAsset, log: () => undefined })
const send = (path: string, init: RequestInit = {}) => gateway(new Request(`http://edgebook.test${path}`, init))

const uid = `0x${'12'.repeat(56)}`

test('/docs of a network has an ETag of its own text, and is not sent twice', async () => {
  const other = createGateway({ workers: { sepolia: {} }, version: '1', findAsset, log: () => undefined })
  const find = (headers: Record<string, string>) => other(new Request('http://edgebook.test/docs', { headers }))
  const etag = (await find({})).headers.get('ETag') ?? ''
  expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/)
  expect((await find({ 'If-None-Match': etag })).status).toBe(304)
  expect((await find({ 'If-None-Match': '"abc"' })).status).toBe(200)
})

test.each([
  `/orders/${uid}`,
  `/orders/${uid}/?network=sepolia`,
  '/orders/nonsense',
  '/orders/status.json',
  `/accounts/0x${'12'.repeat(20)}`,
  '/accounts/vitalik.eth',
  `/transactions/0x${'12'.repeat(32)}`,
  '/auctions/7',
  '/explore',
  '/status',
])('%s is the page', async (path) => {
  const response = await send(path)
  expect([response.status, await response.text()]).toEqual([200, '/console/index.html'])
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
  expect(response.headers.get('Content-Type')).toBe('text/html')
})

test('the page of a view has its title for previews of its link, and nothing of the path that is not an id', async () => {
  const findHtml = async () => new Response(html, { headers: { 'Content-Type': 'text/html', 'Content-Length': '36' } })
  const own = createGateway({ workers: {}, version: '1', findAsset: findHtml, log: () => undefined })
  const read = async (path: string) => (await own(new Request(`http://edgebook.test${path}`))).text()
  const page = await read(`/orders/${uid}`)
  expect(page).toContain('<title>Order 0x121212…121212 · edgebook</title>')
  expect(page).toContain('<meta property="og:title" content="Order 0x121212…121212" />')
  expect(page).toContain('<meta property="og:description" content="History and diagnosis of an order" />')
  expect(page.endsWith('</head>')).toBe(true)
  expect(await read('/auctions/7')).toContain('<title>Auction 7 · edgebook</title>')
  const hostile = await read(`/orders/${encodeURIComponent('"><script>')}`)
  expect(hostile).toContain('<title>Order · edgebook</title>')
  expect(hostile).not.toContain('<script')
  expect(await read('/nowhere')).not.toContain('og:title')
})

test('a page runs only its own scripts, is framed by Safes alone and sends no referrer', async () => {
  const { headers } = await send('/status')
  const policy = headers.get('Content-Security-Policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    'frame-ancestors https://app.safe.global',
  ])
    expect(policy.split('; ')).toContain(rule)
  expect(policy.replace('frame-ancestors https://app.safe.global', '')).not.toMatch(/unsafe|\*|http/)
  for (const path of ['/docs', '/icon.svg'])
    expect((await send(path)).headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
  expect(headers.get('Permissions-Policy')).toContain('camera=()')
})

test('files with a content hash are immutable, icon and manifest are cached for an hour', async () => {
  const script = await send('/assets/index-Ab_1cdEf.js')
  expect([script.status, script.headers.get('Content-Type')]).toEqual([200, 'text/javascript'])
  expect(script.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  for (const named of ['/icon.svg', '/manifest.json', '/assets/licenses.md'])
    expect((await send(named)).headers.get('Cache-Control')).toBe('public, max-age=3600')
})

test.each(['/status', '/assets/index-Ab_1cdEf.js', '/icon.svg', '/docs'])('%s is not sent twice', async (path) => {
  const etag = (await send(path)).headers.get('ETag') ?? ''
  const [tag] = /"[^"]+"/.exec(etag) ?? []
  expect(tag).toBeDefined()
  for (const condition of [`${tag}`, `W/${tag}`, `"0", ${tag}`, '*']) {
    const again = await send(path, { headers: { 'If-None-Match': condition } })
    expect([condition, again.status, await again.text(), again.headers.get('Content-Type')]).toEqual([
      condition,
      304,
      '',
      null,
    ])
    expect(again.headers.get('ETag')).toBe(etag)
    expect(again.headers.get('Cache-Control')).toBe((await send(path)).headers.get('Cache-Control'))
  }
  expect((await send(path, { headers: { 'If-None-Match': '"0"' } })).status).toBe(200)
})

test.each(['/status', '/assets/index-Ab_1cdEf.js'])('HEAD %s has the headers alone', async (path) => {
  const [head, get] = [await send(path, { method: 'HEAD' }), await send(path)]
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('ETag')).toBe(get.headers.get('ETag'))
})

test.each([
  ['/assets/gone-Ab_1.js', 404],
  ['/assets/..%2findex.html', 400],
  ['/assets/.hidden', 400],
  [`/orders/${'x'.repeat(129)}`, 400],
])('%s is an error in JSON, for browsers too', async (path, status) => {
  const response = await send(path, { headers: { Accept: 'text/html' } })
  expect([path, response.status]).toEqual([path, status])
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toMatchObject({ errorType: expect.any(String), description: expect.any(String) })
})

const missing = ['/assets', '/assets/a/b.js', '/orders', '/orders/', `/orders/${uid}/more`, '/status/more', '/trade']

test.each(missing)('%s is the not-found page for browsers and an error in JSON for programs', async (path) => {
  const page = await send(path, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
  expect([page.status, await page.text()]).toEqual([404, '/console/index.html'])
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    vary: 'Accept',
  })
  expect(page.headers.get('ETag')).toBeNull()
  const error = await send(path, { headers: { Accept: '*/*' } })
  expect([error.status, await error.json()]).toMatchObject([404, { errorType: 'NotFound' }])
})

test('a browser that requests a page with another method gets an error in JSON', async () => {
  const response = await send('/explore', { method: 'DELETE', headers: { Accept: 'text/html' } })
  expect([response.status, await response.json()]).toMatchObject([405, { errorType: 'MethodNotAllowed' }])
})

test('a page accepts only reads', async () => {
  const response = await send(`/accounts/0x${'12'.repeat(20)}`, { method: 'POST' })
  expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET'])
})

test('a page is unavailable without files, and when reading them fails', async () => {
  for (const broken of [undefined, async () => new Response(null, { status: 500 })]) {
    const bare = createGateway({ workers: {}, version: '1', findAsset: broken, log: () => undefined })
    expect((await bare(new Request('http://edgebook.test/status'))).status).toBe(503)
  }
})
