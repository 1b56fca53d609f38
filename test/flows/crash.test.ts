import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { openTestSocket, type SocketMessage, type TestSocket } from '../helpers/http/openTestSocket.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { patientAuctions, startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader

beforeAll(async () => {
  stack = await startTestStack({ vars: { auctions: patientAuctions } })
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  for (const symbol of ['WETH', 'USDC']) await trader.approveRelayer(token(symbol).address)
})

afterAll(() => stack?.stop())

const token = (symbol: string) => findToken(stack.info, symbol)

test('Workers that die after a settlement was sent find it mined, once', async () => {
  const before = await readBalances(trader, token('WETH').address, token('USDC').address)
  await stack.chain.setAutomine(false)
  await stack.chain.setIntervalMining({ interval: 0 })
  const amount = parseUnits('0.2', 18)
  const uid = await postSwap(trader, { kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount })
  const isSent = async () => (await stack.chain.getTxpoolStatus()).pending > 0
  await waitUntil('a settlement waits for a block', isSent, { timeoutMs: patienceMs })
  await stack.workers.kill()
  await stack.chain.mine({ blocks: 1 })
  await stack.workers.start()
  await stack.chain.setIntervalMining({ interval: 2 })
  await waitForStatus(trader, uid, 'fulfilled')
  const after = await readBalances(trader, token('WETH').address, token('USDC').address)
  expect(before.sell - after.sell).toBe(amount)
  await expectAgreement(stack.info, trader, uid, before, after)
})

test('WebSockets lose no event when every object dies, and repeat none', async () => {
  const open = () => openTestSocket(`${stack.info.baseUrl}/${stack.info.network}`)
  const channels = [
    { id: 'account', channel: 'account', account: trader.address },
    { id: 'pair', channel: 'pair', pair: `${token('WETH').address}-${token('USDC').address}` },
    { id: 'trades', channel: 'trades' },
    { id: 'auctions', channel: 'auctions' },
  ]
  const first = await open()
  for (const channel of channels) first.send({ type: 'subscribe', ...channel })
  const begins = new Map<string, string>()
  for (const { id } of channels) {
    const { seq } = await first.hear(`${id} opens`, (message) => message.type === 'subscribed' && message.id === id)
    begins.set(id, seq ?? '')
  }
  const amount = parseUnits('0.2', 18)
  const swap = { kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount } as const
  const uid = await postSwap(trader, swap)
  const isOf = (label: string, of: string) => (message: SocketMessage) =>
    message.data?.orderUid === of && message.data.label === label && message.id === 'account'
  await first.hear('the order', isOf('created', uid))
  await stack.workers.kill()
  await stack.workers.start()
  await waitForStatus(trader, uid, 'fulfilled')
  const later = await postSwap(trader, swap)
  const [resumed, whole] = [await open(), await open()]
  const isEventOf = (id: string) => (message: SocketMessage) => message.type === 'event' && message.id === id
  for (const channel of channels) {
    const begin = begins.get(channel.id)
    whole.send({ type: 'subscribe', ...channel, resume: begin })
    const resume = first.messages.findLast(isEventOf(channel.id))?.seq ?? begin
    resumed.send({ type: 'subscribe', ...channel, resume })
  }
  const lastOf = async (socket: TestSocket, id: string) =>
    socket.hear(
      `the last trade in ${id}`,
      (message) => isOf('traded', later)({ ...message, id: 'account' }) && message.id === id,
    )
  for (const { id } of channels) {
    await lastOf(resumed, id)
    await lastOf(whole, id)
    // up to the same event, because more may follow
    const idsOf = (sockets: TestSocket[]) => {
      const found = sockets.flatMap(({ messages }) => messages.filter(isEventOf(id)))
      const end = found.findLastIndex(({ data }) => data?.orderUid === later && data.label === 'traded')
      return found.slice(0, end + 1).map(({ data }) => data?.id)
    }
    expect(idsOf([first, resumed]), id).toEqual(idsOf([whole]))
  }
  resumed.close()
  whole.close()
})
