import { erc20Abi, parseEther, parseEventLogs } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { deployShallowToken } from '../helpers/chain/shallowToken.ts'
import { connectOrderBook } from '../helpers/console/orderBook.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack

beforeAll(async () => {
  stack = await useSharedStack()
})

afterAll(() => stack?.stop())

test('two opposite orders, of both signing schemes, fill each other in one settlement, and pools receive only their fees', async () => {
  const book = connectOrderBook(stack.info)
  const [first, second] = stack.info.accounts
  if (!first || !second) throw new Error('no accounts')
  // the tokens have a price, but their pools hold a tenth of what is traded
  const [left, right] = [
    await deployShallowToken(stack.chain, 'LEFT', '1', '1000'),
    await deployShallowToken(stack.chain, 'RIGHT', '1', '1000'),
  ]
  const amount = parseEther('10000')
  await left.fund(first.address, '10000')
  await right.fund(second.address, '10000')
  const terms = { sellAmount: amount, buyAmount: parseEther('9000') }
  const uids = await Promise.all([
    book.post(
      await signOrder(stack.info, first.privateKey, { ...terms, sellToken: left.address, buyToken: right.address }),
    ),
    book.post(
      await signOrder(stack.info, second.privateKey, {
        ...terms,
        sellToken: right.address,
        buyToken: left.address,
        signingScheme: 'ethsign',
      }),
    ),
  ])
  const orders = await Promise.all(uids.map((uid) => book.waitFor(uid, ({ status }) => status === 'fulfilled')))
  for (const order of orders) {
    expect(order.executedSellAmount).toBe(String(amount))
    expect(BigInt(order.executedBuyAmount ?? 0)).toBeGreaterThan(parseEther('9000'))
    expect(BigInt(order.executedFee ?? 0)).toBeGreaterThan(0n)
  }
  expect(await left.balanceOf(first.address)).toBe(0n)
  expect(await right.balanceOf(second.address)).toBe(0n)
  expect(String(await right.balanceOf(first.address))).toBe(orders[0]?.executedBuyAmount)
  expect(String(await left.balanceOf(second.address))).toBe(orders[1]?.executedBuyAmount)
  // the settlement contract sells the network fees of the orders for the native token, and nothing else moved
  const { settlement, wrappedNative } = stack.info.contracts
  expect(await left.balanceOf(settlement)).toBe(0n)
  expect(await right.balanceOf(settlement)).toBe(0n)

  const trades = await Promise.all(
    uids.map((uid) => book.get<{ txHash: `0x${string}` }[]>(`/v2/trades?orderUid=${uid}`)),
  )
  const [hash, ...others] = new Set(trades.flat().map(({ txHash }) => txHash))
  expect(others).toEqual([])
  if (!hash) throw new Error('no trade')
  const { logs } = await stack.chain.getTransactionReceipt({ hash })
  expect(parseEventLogs({ abi: settlementAbi, logs, eventName: 'Trade' })).toHaveLength(2)

  const pools = parseEventLogs({ abi: erc20Abi, logs, eventName: 'Transfer' })
    .filter(({ address, args }) => address.toLowerCase() === wrappedNative && args.to.toLowerCase() === settlement)
    .map(({ args }) => args.from.toLowerCase())
  expect(pools).toHaveLength(2)
  const emitters = new Set(logs.map(({ address }) => address.toLowerCase()))
  expect(emitters).toEqual(new Set([left.address, right.address, settlement, wrappedNative, ...pools]))
})
