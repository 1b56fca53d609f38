import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newMessage, newTarget } from '#test/helpers/database/newMessage.ts'
import { type RunningReceiver, startReceiver } from '#test/helpers/http/startReceiver.ts'
import { sendEmail } from './sendEmail.ts'

let provider: RunningReceiver
beforeAll(async () => {
  provider = await startReceiver()
})
afterAll(() => provider.stop())
beforeEach(() => {
  provider.received.length = 0
  provider.answer({ status: 200, body: '{"id":"1"}' })
})

const mail = () =>
  sendEmail({ url: provider.url, apiKey: 're_key', from: 'book@example.com', publicUrl: 'https://book.example' })(
    newTarget('trader@example.com'),
    newMessage(),
    { attempt: 3, now: new Date() },
  )

test('sends text and HTML with an unsubscribe link, under an idempotency key', async () => {
  expect(await mail()).toEqual({ outcome: 'delivered' })
  const { headers, body } = provider.received[0] ?? { headers: {}, body: '{}' }
  expect(headers).toMatchObject({
    authorization: 'Bearer re_key',
    'idempotency-key': '11111111-2222-4333-8444-555555555555-notification-7-1',
  })
  const unsubscribe = 'https://book.example/subscriptions/unsubscribe/token'
  expect(JSON.parse(body.toString())).toEqual({
    from: 'book@example.com',
    to: ['trader@example.com'],
    subject: 'Order filled',
    text: `Your order sold 1 <A&B> for 3 "TKN".\n\nThe order: https://book.example/orders/1?a=1&b=2\n\nUnsubscribe: ${unsubscribe}`,
    html: [
      '<p>Your order sold 1 &lt;A&amp;B&gt; for 3 &quot;TKN&quot;.</p>',
      '<p><a href="https://book.example/orders/1?a=1&amp;b=2">The order</a></p>',
      `<p><a href="${unsubscribe}">Unsubscribe</a></p>`,
    ].join('\n'),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
})

test.each([
  ['rejects the address', 422, { name: 'validation_error', message: 'Invalid `to` field.' }, 'gone'],
  ['rejects the account', 403, { name: 'validation_error', message: 'verify a domain to change `to`' }, 'failed'],
  ['rejects the sender', 422, { name: 'invalid_from_address', message: 'Invalid `from` field.' }, 'failed'],
  ['does not know the API key', 401, { message: 'missing' }, 'failed'],
  ['accepted this mail with another text before', 409, { name: 'invalid_idempotent_request' }, 'delivered'],
  ['is processing this mail', 409, { name: 'concurrent_idempotent_requests', message: 'wait' }, 'failed'],
  ['fails', 500, {}, 'failed'],
  ['responds with no JSON', 422, '<html>', 'failed'],
])('a provider that %s', async (_name, status, body, outcome) => {
  provider.answer({ status, body: typeof body === 'string' ? body : JSON.stringify(body) })
  expect(await mail()).toMatchObject({ outcome })
})

test('reports the Retry-After of the provider', async () => {
  provider.answer({ status: 429, headers: { 'Retry-After': '7' }, body: '{}' })
  expect(await mail()).toEqual({
    outcome: 'failed',
    reason: 'responded with 429',
    retryAfterMs: 7_000,
    isOurFault: true,
  })
})
