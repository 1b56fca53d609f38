import { type Address, encodeFunctionData, erc20Abi, hashTypedData, maxUint256, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeSentinel } from '#shared/networks.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { deploySafe } from '../helpers/chain/safe.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { orderTypes } from '../helpers/orders/orderTypes.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let book: OrderBook
let trader: DevAccount

beforeAll(async () => {
  stack = await useSharedStack()
  book = connectOrderBook(stack.info)
  trader = await createTrader(stack)
})

afterAll(() => stack?.stop())

const usdc = (): Address => {
  const token = stack.info.tokens.USDC
  if (!token) throw new Error('no USDC')
  return token.address
}
const readUsdc = (owner: Address) =>
  stack.chain.readContract({ address: usdc(), abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

describe('an order for ether is settled by an auction', () => {
  test.each([
    {
      kind: 'sell' as const,
      buyAmount: parseEther('0.9'),
      receiver: '0x00000000000000000000000000000000000e7430' as const,
    },
    {
      kind: 'buy' as const,
      buyAmount: parseEther('1'),
      receiver: '0x00000000000000000000000000000000000e7431' as const,
    },
  ])('a $kind order pays out exactly the executed amount', async ({ kind, buyAmount, receiver }) => {
    const before = await readUsdc(trader.address)
    const sellAmount = parseUnits('3300', 6)
    const terms = { sellToken: usdc(), buyToken: nativeSentinel, sellAmount, buyAmount, kind, receiver }
    const uid = await book.post(await signOrder(stack.info, trader.privateKey, terms))
    const order = await book.waitFor(uid, ({ status }) => status === 'fulfilled')
    const paid = await stack.chain.getBalance({ address: receiver })
    expect(order).toMatchObject({ executedBuyAmount: String(paid), buyToken: nativeSentinel })
    expect(before - (await readUsdc(trader.address))).toBe(BigInt(order.executedSellAmount ?? 0))
    if (kind === 'buy') expect(paid).toBe(buyAmount)
    else expect(paid).toBeGreaterThan(buyAmount)
    expect(await stack.chain.getBalance({ address: stack.info.contracts.settlement })).toBe(0n)
  })
})

test('ether reaches a Safe that takes no other part in the trade', async () => {
  const { address: receiver } = await deploySafe(stack.chain, trader)
  const terms = { sellToken: usdc(), buyToken: nativeSentinel, sellAmount: parseUnits('500', 6), receiver }
  const order = await signOrder(stack.info, trader.privateKey, { ...terms, buyAmount: parseEther('0.1') })
  const filled = await book.waitFor(await book.post(order), ({ status }) => status === 'fulfilled')
  expect(filled.executedBuyAmount).toBe(String(await stack.chain.getBalance({ address: receiver })))
})

test('a Safe buys ether for itself with a partially fillable order', async () => {
  const safe = await deploySafe(stack.chain, trader)
  const address = safe.address.toLowerCase() as Address
  const sellAmount = parseUnits('1000', 6)
  const give = { abi: erc20Abi, functionName: 'transfer', args: [address, sellAmount / 2n] } as const
  const fund = async () => {
    const hash = await stack.chain.writeContract({ account: trader.address, address: usdc(), ...give })
    await waitForReceipt(stack.chain, hash)
  }
  await fund()
  const { settlement, vaultRelayer } = stack.info.contracts
  const approve = { abi: erc20Abi, functionName: 'approve', args: [vaultRelayer, maxUint256] } as const
  await safe.call(usdc(), encodeFunctionData(approve))

  const { signature: _, ...draft } = await signOrder(stack.info, trader.privateKey, {
    sellToken: usdc(),
    buyToken: nativeSentinel,
    sellAmount,
    buyAmount: parseEther('0.3'),
    receiver: address,
    partiallyFillable: true,
    appData: '0x0000000000000000000000000000000000000000000000000000000000000000',
  })
  const digest = hashTypedData({
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId: stack.info.chainId, verifyingContract: settlement },
    types: orderTypes,
    primaryType: 'Order',
    message: {
      ...draft,
      sellAmount,
      buyAmount: parseEther('0.3'),
      feeAmount: 0n,
      appData: draft.appData as `0x${string}`,
    },
  })
  const signature = await safe.signDigest(digest)
  const uid = await book.post({ ...draft, from: address, signingScheme: 'eip1271', signature })
  const part = await book.waitFor(uid, ({ executedSellAmount }) => executedSellAmount !== '0')
  expect(part.executedSellAmount).toBe(String(sellAmount / 2n))
  await fund()
  const order = await book.waitFor(uid, ({ status }) => status === 'fulfilled')
  expect(await readUsdc(address)).toBe(0n)
  const ether = await stack.chain.getBalance({ address })
  expect(order.executedBuyAmount).toBe(String(ether))
  expect(ether).toBeGreaterThan(parseEther('0.3'))
  expect(await stack.chain.getBalance({ address: settlement })).toBe(0n)
})
