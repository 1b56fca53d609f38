import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryTarget, Message, Send } from '../../../functions/notifier/channels/channel.ts'
import { sendEmail } from '../../../functions/notifier/channels/sendEmail.ts'
import { sendPush } from '../../../functions/notifier/channels/sendPush.ts'
import { sendTelegram } from '../../../functions/notifier/channels/sendTelegram.ts'
import { sendWebhook } from '../../../functions/notifier/channels/sendWebhook.ts'
import { findPort } from '../processes/findPort.ts'
import type { PushSubscription } from './createBrowser.ts'
import type { SinkMessage as Arrived, SinkChannel } from './createMailbox.ts'
import { sinkSettings } from './sinkSettings.ts'
import { type Sinks, startSinks } from './startSinks.ts'

const account = `0x${'ab'.repeat(20)}`
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const targets = { allowPrivate: true, dnsUrl: 'http://127.0.0.1:9' }
const { vapid, emailApiKey: apiKey, emailFrom: from, telegramBotToken: botToken } = sinkSettings

const message: Message = {
  id: 'notification-1-1',
  type: 'order_filled',
  timestamp: '2026-11-21T10:00:00.000Z',
  title: 'Order filled',
  text: 'Your order sold 1 <b>WETH</b>.',
  link: { label: 'The order', url: 'https://edgebook.test/order?a=1&b=2' },
  tag: 'notification-1',
  data: { account, message: 'Your order sold 1 <b>WETH</b>.' },
}

let sinks: Sinks

beforeEach(async () => {
  sinks = await startSinks({ port: await findPort(0, 'SINKS_PORT'), baseUrl: 'http://127.0.0.1:9' })
})
afterEach(() => sinks?.close())

const request = async <Answer>(
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<{ status: number; body: Answer }> => {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(sinks.url + path, init)
  const text = await response.text()
  return { status: response.status, body: (text ? JSON.parse(text) : undefined) as Answer }
}
const list = async (query = '') => (await request<Arrived[]>(`/messages${query}`)).body
const send = (sender: Send, target: Partial<DeliveryTarget>, sent = message) =>
  sender(
    { id: 'subscription', pushKeys: null, secret: null, unsubscribeToken: 'token', address: '', ...target },
    sent,
    {
      attempt: 2,
      now: new Date(),
    },
  )
const subscribe = async () => (await request<PushSubscription>('/push/subscriptions', 'POST')).body

/** Sends the message through each channel, as the notifier does. */
const senders: Record<SinkChannel, () => Promise<unknown>> = {
  webhook: () => send(sendWebhook(targets), { address: `${sinks.url}/webhooks/own`, secret }),
  email: () =>
    send(sendEmail({ url: sinks.url, apiKey, from, publicUrl: 'https://edgebook.test' }), { address: 'a@b.test' }),
  telegram: () => send(sendTelegram({ url: sinks.url, botToken }), { address: '7' }),
  push: async () => {
    const { endpoint, keys } = await subscribe()
    return send(sendPush({ ...targets, vapid }), { address: endpoint, pushKeys: keys })
  },
}

test('shows the messages that the notifier sends by each channel', async () => {
  await request('/webhooks/own/secret', 'PUT', { secret })
  for (const sender of Object.values(senders)) expect(await sender()).toEqual({ outcome: 'delivered' })
  const { title, text } = message
  expect(await list()).toMatchObject([
    { seq: 1, channel: 'webhook', to: 'own', id: message.id, type: 'order_filled', verified: true, attempt: 2, text },
    { seq: 2, channel: 'email', to: 'a@b.test', title, text: expect.stringContaining(text) },
    { seq: 3, channel: 'telegram', to: '7', text: expect.stringContaining('Order filled.') },
    { seq: 4, channel: 'push', id: message.id, type: 'order_filled', title, text, verified: true },
  ])
  expect((await list('?since=2')).map(({ channel }) => channel)).toEqual(['telegram', 'push'])
  expect(await list(`?account=${account.toUpperCase().replace('0X', '0x')}&channel=webhook`)).toHaveLength(1)
  expect((await request('/messages?channel=pigeon')).status).toBe(400)
  const page = await (await fetch(sinks.url)).text()
  expect(page).toContain('Your order sold 1 &lt;b&gt;WETH&lt;/b&gt;.')
  expect(page).not.toContain('<b>WETH')
})

test('fails exactly as configured', async () => {
  for (const [channel, sender] of Object.entries(senders)) {
    await request('/faults', 'PUT', { channel, status: 500, times: 1, delayMs: 50 })
    expect(await sender()).toMatchObject({ outcome: 'failed', reason: 'responded with 500' })
    expect(await sender()).toEqual({ outcome: 'delivered' })
  }
  expect(await list()).toHaveLength(4)
  expect((await request('/faults', 'PUT', { channel: 'webhook', status: 200 })).status).toBe(400)
})

describe('refuses like the real services', () => {
  test('a webhook with another signature', async () => {
    await request('/webhooks/own/secret', 'PUT', { secret: `whsec_${Buffer.alloc(24, 8).toString('base64')}` })
    expect(await senders.webhook()).toEqual({ outcome: 'failed', reason: 'responded with 401' })
    expect(await list()).toEqual([])
  })

  test('a bot, a mail or a push with another key', async () => {
    expect(await send(sendTelegram({ url: sinks.url, botToken: '2:other' }), { address: '7' })).toMatchObject({
      outcome: 'failed',
    })
    const mail = { url: sinks.url, apiKey: 're_other', from, publicUrl: 'https://edgebook.test' }
    expect(await send(sendEmail(mail), { address: 'a@b.test' })).toMatchObject({ outcome: 'failed' })
    const { endpoint, keys } = await subscribe()
    const other = {
      publicKey: keys.p256dh,
      privateKey: vapid.privateKey,
      subject: vapid.subject,
    }
    const refused = send(sendPush({ ...targets, vapid: other }), { address: endpoint, pushKeys: keys })
    expect(await refused.catch(() => ({ outcome: 'failed' }))).toMatchObject({ outcome: 'failed' })
    expect(await list()).toEqual([])
  })

  test('a push encrypted for another or an unknown browser', async () => {
    const [first, second] = [await subscribe(), await subscribe()]
    const sender = sendPush({ ...targets, vapid })
    const crossed = await send(sender, { address: first.endpoint, pushKeys: second.keys })
    expect(crossed).toEqual({ outcome: 'failed', reason: 'responded with 400' })
    await fetch(first.endpoint, { method: 'DELETE' })
    expect(await send(sender, { address: first.endpoint, pushKeys: first.keys })).toMatchObject({ outcome: 'gone' })
  })
})

test('accepts a repeated mail once, and repeats a challenge', async () => {
  await senders.email()
  await senders.email()
  expect(await list()).toHaveLength(1)
  const challenge = { type: 'subscription.challenge', timestamp: message.timestamp, data: { challenge: 'abc' } }
  expect((await request('/webhooks/own', 'POST', challenge)).body).toEqual({ challenge: 'abc' })
})
