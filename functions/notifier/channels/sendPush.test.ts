import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newMessage, newTarget } from '#test/helpers/database/newMessage.ts'
import { type RunningReceiver, startReceiver } from '#test/helpers/http/startReceiver.ts'
import { createBrowser, isVapid } from '#tools/stack/sinks/createBrowser.ts'
import type { Message } from './channel.ts'
import { sendPush } from './sendPush.ts'

const keys = createECDH('prime256v1')
keys.generateKeys()
const vapid = {
  publicKey: keys.getPublicKey('base64url'),
  privateKey: keys.getPrivateKey('base64url'),
  subject: 'mailto:ops@example.com',
}
const send = sendPush({ dnsUrl: 'http://127.0.0.1:9', allowPrivate: true, vapid })
const context = { attempt: 1, now: new Date() }

let service: RunningReceiver
beforeAll(async () => {
  service = await startReceiver()
})
afterAll(() => service.stop())
beforeEach(() => {
  service.received.length = 0
  service.answer({ status: 201 })
})

const pushTo = (browser: ReturnType<typeof createBrowser>, message: Message = newMessage()) =>
  send(newTarget(`${service.url}/push/1`, { pushKeys: browser.subscription.keys }), message, context)

test('is readable only by its browser', async () => {
  const browser = createBrowser('')
  expect(await pushTo(browser)).toEqual({ outcome: 'delivered' })
  const { body, headers } = service.received[0] ?? { body: Buffer.alloc(0), headers: {} }
  expect(browser.decrypt(body)).toEqual({
    title: 'Order filled',
    body: 'Your order sold 1 <A&B> for 3 "TKN".',
    url: 'https://book.example/orders/1?a=1&b=2',
    tag: 'notification-7',
    type: 'order_filled',
    id: 'notification-7-1',
  })
  expect(() => createBrowser('').decrypt(body)).toThrow()
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '86400',
    urgency: 'normal',
    topic: 'notification-7',
  })
})

test('is authenticated by VAPID', async () => {
  await pushTo(createBrowser(''))
  const header = String(service.received[0]?.headers.authorization)
  const host = new URL(service.url).host
  const now = Math.floor(Date.now() / 1_000)
  expect(isVapid(header, vapid.publicKey, host, now)).toBe(true)
  expect(isVapid(header, vapid.publicKey, 'elsewhere.example', now)).toBe(false)
})

test('fits the size limit with any text', async () => {
  const browser = createBrowser('')
  expect(await pushTo(browser, newMessage({ text: '🦄'.repeat(5_000) }))).toEqual({ outcome: 'delivered' })
  const { body } = service.received[0] ?? { body: Buffer.alloc(0) }
  expect(body.length).toBeLessThanOrEqual(4_096)
  expect(Buffer.byteLength(JSON.stringify(browser.decrypt(body)))).toBeLessThanOrEqual(3_072)
})

test.each([
  [404, 'gone', 'responded with 404: the target no longer exists'],
  [410, 'gone', 'responded with 410: the target no longer exists'],
  [413, 'failed', 'responded with 413'],
  [500, 'failed', 'responded with 500'],
])('maps the status %i of a push service', async (status, outcome, reason) => {
  service.answer({ status })
  expect(await pushTo(createBrowser(''))).toMatchObject({ outcome, reason })
})

test.each([
  [403, true],
  [413, undefined],
  [503, true],
])('the status %i of a push service is our fault: %o', async (status, isOurFault) => {
  service.answer({ status })
  expect(await pushTo(createBrowser(''))).toEqual({ outcome: 'failed', reason: `responded with ${status}`, isOurFault })
})

test.each([
  ['no keys', null],
  ['keys that are not a curve point', { p256dh: 'BAAA', auth: 'AAAA' }],
  ['keys that are not base64', { p256dh: '%%%', auth: '%%%' }],
])('a browser with %s is gone', async (_name, pushKeys) => {
  const outcome = await send(newTarget(`${service.url}/push/1`, { pushKeys }), newMessage(), context)
  expect(outcome).toMatchObject({ outcome: 'gone' })
  expect(service.received).toEqual([])
})
