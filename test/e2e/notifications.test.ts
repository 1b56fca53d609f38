import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Hex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { type SinkChannel, sinkChannels } from '#tools/stack/sinks/createMailbox.ts'
import { undoFrom } from '../helpers/chain/undoFrom.ts'
import { type RunningReceiver, startReceiver } from '../helpers/http/startReceiver.ts'
import { quietMs, setUpNotifiedTrader } from '../helpers/stack/notifiedTrader.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

const alertSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
/** receives alarms */
let operator: RunningReceiver
afterAll(() => operator?.stop())

const own = setUpNotifiedTrader(async () => {
  operator = await startReceiver()
  const alerts = { ALERT_WEBHOOK_URL: `${operator.url}/alerts`, ALERT_WEBHOOK_SECRET: alertSecret }
  return startTestStack({ vars: { notifier: alerts } })
})

/** The body of a webhook. */
type Sent = { type: string; data: { id: string } }

test('an event undone by a reorganisation is retracted by every channel, once, and sent again when it repeats', async () => {
  const uid = await own.post({})
  const types = ['order_filled', 'price_improvement']
  const notified = await own.waitForTypes(new Map([[uid, types]]))
  for (const channel of sinkChannels) await own.waitForMessages(channel, notified.length)
  const blockNumber = Number(notified[0]?.metadata.blockNumber)
  await own.forget()

  await undoFrom(own.stack.chain, blockNumber)
  const summarise = async (channel: SinkChannel) => {
    const messages = await own.listMessages(channel)
    const corrections = messages.filter(({ type, title, text }) =>
      type ? type === 'notification.retracted' : /^Correction: /.test(title || text),
    )
    return { corrections: corrections.length, all: messages.length }
  }
  const expected = { corrections: types.length, all: 2 * types.length }
  for (const channel of sinkChannels) await own.waitForMessages(channel, expected.all)
  await sleep(quietMs)
  for (const channel of sinkChannels) expect([channel, await summarise(channel)]).toEqual([channel, expected])
  const again = await own.waitForTypes(new Map([[uid, types]]))
  const known = new Set(notified.map(({ id }) => id))
  expect(again.filter(({ id }) => known.has(id))).toEqual([])
  const taken = await own.listMessages('webhook')
  const ofWebhook = (type: RegExp) =>
    taken.flatMap(({ body }) => (type.test((body as Sent).type) ? (body as Sent).data.id : [])).toSorted()
  expect(ofWebhook(/^notification\.retracted$/)).toEqual(notified.map(({ id }) => id).toSorted())
  expect(ofWebhook(/^(order|price)_/)).toEqual(again.map(({ id }) => id).toSorted())
})

// waits for the lease of the lost attempt, a minute: in the long run (`LONG=1`)

test('a solver without gas raises an alarm at the operator, once, which ends after it is funded again', async () => {
  const { address } = own.stack.info.solvers[0] as { address: Hex }
  const readAlerts = () =>
    operator.received
      .map(({ body, headers }) => new Webhook(alertSecret).verify(body.toString(), headers as Record<string, string>))
      .map((alert) => alert as { type: string; data: { network: string; alarm: string; solver: string | null } })
      .filter(({ data }) => data.alarm === 'solverFault' && data.solver === address.toLowerCase())
  const waitForAlerts = (count: number) =>
    waitUntil(
      `${count} alerts`,
      async () => {
        own.stack.workers.runCrons()
        return readAlerts().length >= count
      },
      { timeoutMs: 100_000, intervalMs: 2_000 },
    )
  const balance = await own.stack.chain.getBalance({ address })
  await own.stack.chain.setBalance({ address, value: 0n })
  try {
    await waitForAlerts(1)
  } finally {
    await own.stack.chain.setBalance({ address, value: balance })
  }
  await waitForAlerts(2)
  expect(readAlerts().map(({ type, data }) => [type, data.network])).toEqual([
    ['alarm.raised', 'sepolia'],
    ['alarm.resolved', 'sepolia'],
  ])
})
