import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMessage, newTarget } from '#test/helpers/database/newMessage.ts'
import { failures, type RunningProvider, respondWith, startProvider } from '#test/helpers/http/startProvider.ts'
import { openTarget } from './openTarget.ts'
import { postBounded } from './postBounded.ts'
import { sendPush } from './sendPush.ts'
import { sendWebhook } from './sendWebhook.ts'

let resolver: RunningProvider
beforeAll(async () => {
  resolver = await startProvider()
})
afterAll(() => resolver.stop())

type DnsRecord = { type: number; data: string }
const a = (data: string) => ({ type: 1, data })
const aaaa = (data: string) => ({ type: 28, data })
const cname = (data: string) => ({ type: 5, data })

const resolving = (records: DnsRecord[], Status = 0) =>
  resolver.answer((request, response) => {
    const wanted = new URL(request.url ?? '', resolver.url).searchParams.get('type') === 'A' ? 1 : 28
    const Answer = records.filter(({ type }) => type === 5 || type === wanted)
    respondWith({ Status, ...(Answer.length > 0 ? { Answer } : {}) })(request, response)
  })
const settings = () => ({ dnsUrl: `${resolver.url}/dns-query`, allowPrivate: false })
const open = () => openTarget('https://hooks.example.com/a', settings())

test('opens a name with public addresses', async () => {
  resolving([cname('target.example.net.'), a('93.184.216.34'), aaaa('2606:2800:220:1:248:1893:25c8:1946')])
  expect((await open()).href).toBe('https://hooks.example.com/a')
  expect(resolver.asked.sort()).toEqual([
    '/dns-query?name=hooks.example.com&type=A',
    '/dns-query?name=hooks.example.com&type=AAAA',
  ])
})

test.each([
  ['a private address', [a('10.0.0.1')]],
  ['this machine', [a('127.0.0.1')]],
  ['the metadata service of a cloud', [a('169.254.169.254')]],
  ['one private address among public ones', [a('93.184.216.34'), a('192.168.1.1')]],
  ['a public IPv4 and a private IPv6 address', [a('93.184.216.34'), aaaa('fd00::1')]],
  ['an IPv4 address inside an IPv6 address', [aaaa('::ffff:10.0.0.1')]],
  ['another name of a private address', [cname('internal.example.net.'), a('172.16.0.1')]],
  ['garbage', [a('10.0.0.1.example')]],
])('does not open a name of %s', async (_name, records) => {
  resolving(records)
  await expect(open()).rejects.toThrow('its name has a non-public address')
})

test.each([
  ['no addresses', [], 0],
  ['a non-existent domain', [], 3],
  ['only a CNAME', [cname('internal.')], 0],
])('does not open a name with %s', async (_name, records, status) => {
  resolving(records, status)
  await expect(open()).rejects.toThrow('its name has no address')
})

test.each(failures)('does not open a name that cannot be resolved: %s', async (_name, listener) => {
  resolver.answer(listener)
  await expect(open()).rejects.toThrow('its name could not be resolved')
})

test('judges literal addresses without a DNS lookup', async () => {
  resolver.asked.length = 0
  await expect(openTarget('https://[::ffff:127.0.0.1]/', settings())).rejects.toThrow('a public address')
  await expect(openTarget('https://2130706433/', settings())).rejects.toThrow('a public address')
  expect((await openTarget('https://93.184.216.34/', settings())).hostname).toBe('93.184.216.34')
  expect((await openTarget('https://[2606:4700::6810:84e5]/', settings())).hostname).toBe('[2606:4700::6810:84e5]')
  expect(resolver.asked).toEqual([])
})

test('fails a webhook whose name became private, with the reason', async () => {
  resolving([a('10.0.0.1')])
  const target = newTarget('https://hooks.example.com/a', { secret: 'whsec_c2VjcmV0' })
  expect(await sendWebhook(settings())(target, newMessage(), { attempt: 1, now: new Date() })).toEqual({
    outcome: 'failed',
    reason: 'target rejected: its name has a non-public address',
  })
})

test('fails a push whose name became private, before it is encrypted or signed', async () => {
  resolving([a('10.0.0.1')])
  const push = sendPush({ ...settings(), vapid: { publicKey: '', privateKey: '', subject: '' } })
  const target = newTarget('https://push.example.com/a', { pushKeys: { p256dh: '', auth: '' } })
  expect(await push(target, newMessage(), { attempt: 1, now: new Date() })).toMatchObject({
    outcome: 'failed',
    reason: 'target rejected: its name has a non-public address',
  })
})

test('resolves a name again before each delivery', async () => {
  const target = newTarget('https://hooks.example.com/a', { secret: 'whsec_c2VjcmV0' })
  const send = () => sendWebhook(settings())(target, newMessage(), { attempt: 1, now: new Date() })
  resolving([a('93.184.216.34')])
  await open()
  resolver.asked.length = 0
  resolving([a('127.0.0.1')])
  const refused = { outcome: 'failed', reason: 'target rejected: its name has a non-public address' }
  expect(await send()).toEqual(refused)
  resolving([a('93.184.216.34'), aaaa('::1')])
  expect(await send()).toEqual(refused)
  expect(resolver.asked).toHaveLength(4)
})

test('sends no request when the name changes between the lookup and the connection', async () => {
  let heard = Buffer.alloc(0)
  const service = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      heard = Buffer.concat([heard, bytes])
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret')
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  // the name of a public target that resolves to this machine at connection time
  const url = new URL(`https://localhost:${port}/admin`)
  expect(await postBounded({ url, headers: { 'X-Probe': 'probe' }, body: 'body', maxBytes: 100 })).toEqual({
    failure: 'no connection',
  })
  service.close()
  // the first record of a TLS handshake: without a certificate for the name there is no request
  expect(heard[0]).toBe(0x16)
  expect(heard.toString('latin1')).not.toMatch(/POST|probe|admin|body/)
})
