import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newMessage, newTarget } from '#test/helpers/database/newMessage.ts'
import { type RunningReceiver, startReceiver } from '#test/helpers/http/startReceiver.ts'
import { sendTelegram } from './sendTelegram.ts'

let telegram: RunningReceiver
beforeAll(async () => {
  telegram = await startReceiver()
})
afterAll(() => telegram.stop())
beforeEach(() => {
  telegram.received.length = 0
  telegram.answer({ status: 200, body: '{"ok":true}' })
})

const send = () =>
  sendTelegram({ url: telegram.url, botToken: '1:token' })(newTarget('-100'), newMessage(), {
    attempt: 1,
    now: new Date(),
  })

test('posts to the chat, without a link preview', async () => {
  expect(await send()).toEqual({ outcome: 'delivered' })
  expect(JSON.parse(String(telegram.received[0]?.body))).toEqual({
    chat_id: '-100',
    text: [
      '<b>Order filled.</b>',
      'Your order sold 1 &lt;A&amp;B&gt; for 3 &quot;TKN&quot;.',
      '<a href="https://book.example/orders/1?a=1&amp;b=2">The order</a>',
    ].join('\n\n'),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  })
})

test.each([
  ['a chat that blocked the bot', 403, 'Forbidden: bot was blocked by the user', 'gone'],
  ['no such chat', 400, 'Bad Request: chat not found', 'gone'],
  ['an account that was deleted', 400, 'Bad Request: user is deactivated', 'gone'],
  ['a message that it rejects', 400, "Bad Request: can't parse entities", 'failed'],
  ['an invalid token', 401, 'Unauthorized', 'failed'],
  ['an internal error', 500, 'Internal Server Error', 'failed'],
])('%s', async (_name, status, description, outcome) => {
  telegram.answer({ status, body: JSON.stringify({ ok: false, error_code: status, description }) })
  const result = await send()
  expect(result).toMatchObject({ outcome })
  expect(JSON.stringify(result)).not.toContain(description)
})

test.each([
  [400, undefined],
  [401, true],
  [429, true],
  [502, true],
])('the status %i of the Bot API is our fault: %o', async (status, isOurFault) => {
  telegram.answer({ status, body: '{"ok":false}' })
  expect(await send()).toEqual({ outcome: 'failed', reason: `responded with ${status}`, isOurFault })
})

test('counts an accepted message as delivered when the response is interrupted', async () => {
  telegram.answer({ status: 200, body: '{"ok":', ending: 'breaks' })
  expect(await send()).toEqual({ outcome: 'delivered' })
})

test('reports the retry_after of Telegram', async () => {
  const refusal = { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 11 } }
  telegram.answer({ status: 429, body: JSON.stringify(refusal) })
  expect(await send()).toMatchObject({ outcome: 'failed', reason: 'responded with 429', retryAfterMs: 11_000 })
})
