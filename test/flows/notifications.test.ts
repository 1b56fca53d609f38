import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { networks } from '#shared/networks.ts'
import { requestTestMessage } from '#tools/demo/subscribe.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { sinkChannels } from '#tools/stack/sinks/createMailbox.ts'
import { buildEthFlowOrder, createEthFlowOrder, uidOfEthFlow } from '../helpers/chain/ethFlow.ts'
import { deployShallowToken } from '../helpers/chain/shallowToken.ts'
import { type EventListening, listenToEvents } from '../helpers/http/listenToEvents.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { neverFilled, quietMs, sentencesOf, setUpNotifiedTrader } from '../helpers/stack/notifiedTrader.ts'
import { findLink, followLink } from '../helpers/stack/subscriber.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

const own = setUpNotifiedTrader(() => startTestStack())

const follow = (path: string) =>
  listenToEvents(`${own.stack.info.baseUrl}/${own.stack.info.network}/api/v1/${path}/events`)
const notificationsIn = ({ events }: EventListening): { id: number; type: string }[] =>
  events.flatMap(({ data }) => (data.notifications as { id: number; type: string }[] | undefined) ?? [])
const toIds = (notified: readonly { id: string | number; type: string }[]) =>
  notified.map(({ id, type }) => `${id} ${type}`).toSorted()
const findLabel = async (uid: string): Promise<string | undefined> => {
  const report = await own.book.get<{ events: { label: string }[] }>(`/debug/order/${uid}`)
  return report.events.at(-1)?.label
}

test('each type reaches the list, both streams and every channel, once', async () => {
  const { address } = own.account(0)
  const accountStream = await follow(`account/${address}/orders`)
  const shallow = await deployShallowToken(own.stack.chain, 'PART', '10', '30000')
  await shallow.fund(address, '5000')
  const spent = await deployShallowToken(own.stack.chain, 'GONE', '10', '30000')
  await spent.fund(address, '100')
  const orders = {
    filled: await own.post({}),
    // the pool pays within the limit for about a quarter of it
    partial: await own.post({
      sellToken: shallow.address,
      buyToken: own.token('WETH'),
      sellAmount: parseEther('5000'),
      buyAmount: (parseEther('5000') * 10n) / 33_000n,
      partiallyFillable: true,
    }),
    invalidated: await own.post(neverFilled),
    unfunded: await own.post({ ...neverFilled, sellToken: spent.address, sellAmount: parseEther('100') }),
  }
  const streams = await Promise.all(Object.values(orders).map((uid) => follow(`orders/${uid}`)))
  // placed by a contract for the trader, and expiring after some seconds
  const { timestamp } = await own.stack.chain.getBlock()
  const placed = buildEthFlowOrder({
    ...neverFilled,
    buyToken: own.token('USDC'),
    receiver: address,
    sellAmount: parseEther('0.1'),
    validTo: Number(timestamp) + 15,
  })
  await createEthFlowOrder(own.stack.chain, address, placed)
  const placedUid = uidOfEthFlow(placed)

  await waitUntil('all are in an auction', async () => (await findLabel(orders.unfunded)) !== 'created', {
    timeoutMs: patienceMs,
  })
  const [to, amount] = [own.account(3).address, parseEther('99')]
  const give = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await sendFrom(own.stack.chain, address, { to: spent.address, data: give })
  const invalidation = { abi: settlementAbi, functionName: 'invalidateOrder', args: [orders.invalidated] } as const
  const { settlementContract } = networks.sepolia
  await sendFrom(own.stack.chain, address, { to: settlementContract, data: encodeFunctionData(invalidation) })
  await own.book.waitFor(orders.partial, ({ executedSellAmount }) => executedSellAmount !== '0')
  await own.cancel(orders.partial)

  const notified = await own.waitForTypes(
    new Map([
      [orders.filled, ['order_filled', 'price_improvement']],
      [orders.partial, ['order_cancelled', 'order_partially_filled', 'price_improvement']],
      [orders.invalidated, ['order_cancelled']],
      [orders.unfunded, ['insufficient_balance']],
      [placedUid, ['order_expired']],
    ]),
  )
  expect(notified.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Your order on Sepolia sold 0\.1 WETH for \d[\d.,]* USDC\.$/),
      expect.stringMatching(/^Your order on Sepolia to sell 0\.1 ETH for at least 1,000,000 USDC expired unfilled\.$/),
      expect.stringContaining('waits for funds: it needs 100 GONE, and the account has 1 GONE.'),
    ]),
  )
  expect(await own.list(networks.sepolia.ethFlow)).toEqual([])

  for (const channel of sinkChannels) {
    await own.waitForMessages(channel, notified.length)
    expect([channel, await own.listSentences(channel)]).toEqual([channel, sentencesOf(notified)])
  }
  const hooks = await own.listMessages('webhook')
  expect(hooks.every(({ verified }) => verified)).toBe(true)
  // known only since its block was indexed
  const orderStreams = [...streams, await follow(`orders/${placedUid}`)]
  const ids = toIds(notified)
  for (const listening of [[accountStream], orderStreams]) {
    await waitUntil('the streams', async () => listening.flatMap(notificationsIn).length >= notified.length, {
      timeoutMs: patienceMs,
    })
  }
  await sleep(quietMs)
  expect(toIds(await own.list())).toEqual(ids)
  for (const listening of [[accountStream], orderStreams])
    expect(toIds(listening.flatMap(notificationsIn))).toEqual(ids)
  for (const channel of sinkChannels)
    expect([channel, await own.listSentences(channel)]).toEqual([channel, sentencesOf(notified)])
  for (const stream of [accountStream, ...orderStreams]) stream.close()
})

test.each(sinkChannels)('a test message arrives by %s', async (channel) => {
  const { privateKey } = own.account(0)
  const sent = await requestTestMessage(own.stack.info, privateKey, own.subscribed[channel].id)
  expect(sent).toEqual({ outcome: 'delivered' })
  expect(await own.listMessages(channel)).toHaveLength(1)
})

test('the unsubscribe link of a mail ends all mails', async () => {
  const mails = await own.sinks.list('?channel=email&to=trader@edgebook.test')
  expect(await followLink(findLink(mails.at(-1)?.text, 'unsubscribe'))).toContain('Unsubscribed')
  const uid = await own.post(neverFilled)
  await own.cancel(uid)
  const notified = await own.waitForTypes(new Map([[uid, ['order_cancelled']]]))
  await own.waitForMessages('push', notified.length)
  expect(await own.listSentences('email')).toEqual([])
})
