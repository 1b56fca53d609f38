import { OrderClass } from '@cowprotocol/cow-sdk'
import { eq } from 'drizzle-orm'
import { type Address, erc20Abi, type Hex, parseEther, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import type { DebugReport } from '../../functions/debug/report/toDebugReport.ts'
import type { QuoteResponse } from '../../functions/quotes/response/toQuoteResponse.ts'
import { buildEthFlowOrder, createEthFlowOrder, uidOfEthFlow } from '../helpers/chain/ethFlow.ts'
import { deployShallowToken, type ShallowToken } from '../helpers/chain/shallowToken.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let book: OrderBook
let account: DevAccount
let trader: Trader
/** No other order trades it, so that a quoted price stands until its order is settled. */
let token: ShallowToken

beforeAll(async () => {
  stack = await useSharedStack()
  book = connectOrderBook(stack.info)
  account = await createTrader(stack)
  trader = connectTrader(stack.info, account.privateKey)
  token = await deployShallowToken(stack.chain, 'SIGNED', '100', '300000')
  await token.fund(account.address, '100000')
})

afterAll(() => stack?.stop())

const weth = (): Address => stack.info.contracts.wrappedNative
const balanceOf = (of: Address, owner: Address) =>
  stack.chain.readContract({ address: of, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

type Size = { sellAmountBeforeFee: string } | { sellAmountAfterFee: string } | { buyAmountAfterFee: string }
const requestQuote = async (size: Size, changes: object = {}): Promise<QuoteResponse> => {
  const kind = 'buyAmountAfterFee' in size ? 'buy' : 'sell'
  const body = { sellToken: token.address, buyToken: weth(), from: account.address, kind, ...size, ...changes }
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/quote`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as QuoteResponse
}

/** The body of POST orders that signs `quote` of a response unchanged. */
const signAsReturned = async ({ quote, id }: QuoteResponse) => ({
  ...(await signOrder(stack.info, account.privateKey, {
    sellToken: quote.sellToken as Address,
    buyToken: quote.buyToken as Address,
    sellAmount: BigInt(quote.sellAmount),
    buyAmount: BigInt(quote.buyAmount),
    feeAmount: BigInt(quote.feeAmount),
    validTo: quote.validTo,
    kind: quote.kind,
    appData: quote.appDataHash,
  })),
  quoteId: id,
})

describe('a quote signed as returned fills and takes exactly its fee', () => {
  test.each<[string, Size]>([
    ['a budget', { sellAmountBeforeFee: parseEther('900').toString() }],
    ['an exact sale', { sellAmountAfterFee: parseEther('600').toString() }],
    ['an exact purchase', { buyAmountAfterFee: parseEther('0.2').toString() }],
  ])('%s', async (_, size) => {
    const response = await requestQuote(size)
    const { quote } = response
    const [sellAmount, fee] = [BigInt(quote.sellAmount), BigInt(quote.feeAmount)]
    expect(fee).toBeGreaterThan(0n)
    const before = await token.balanceOf(account.address)
    const readKept = () =>
      Promise.all([token.address, weth()].map((kept) => balanceOf(kept, stack.info.contracts.settlement)))
    const [keptToken, keptWeth = 0n] = await readKept()
    const uid = await book.post(await signAsReturned(response))
    await book.waitFor(uid, ({ status }) => status === 'fulfilled')

    const order = await trader.orderBook.getOrder(uid)
    const sold = BigInt(order.executedSellAmount)
    expect(order).toMatchObject({
      class: OrderClass.MARKET,
      quoteId: response.id,
      feeAmount: fee.toString(),
      executedFeeAmount: fee.toString(),
      executedFee: '0',
      // the SDK's sum of both
      totalFee: fee.toString(),
      executedSellAmountBeforeFees: (sold - fee).toString(),
    })
    if (quote.kind === 'sell') expect(sold).toBe(sellAmount + fee)
    else expect(sold).toBeLessThanOrEqual(sellAmount + fee)
    expect(BigInt(order.executedBuyAmount)).toBeGreaterThanOrEqual(BigInt(quote.buyAmount))
    expect(before - (await token.balanceOf(account.address))).toBe(sold)
    // the solver retains the fee in the native token, for which it sells it along with the trade
    const [token1, weth1] = await readKept()
    expect(token1).toBe(keptToken)
    expect(weth1).toBeGreaterThan(keptWeth)

    const [trade] = await trader.orderBook.getTrades({ orderUid: uid })
    expect(trade).toMatchObject({ sellAmount: sold.toString(), sellAmountBeforeFees: (sold - fee).toString() })
    const report = await book.get<DebugReport>(`/debug/order/${uid}`)
    expect(report.trades).toMatchObject([{ sellAmountBeforeFees: (sold - fee).toString() }])
    const won = report.auctions.flatMap(({ proposedSolutions }) => proposedSolutions.filter(({ isWinner }) => isWinner))
    expect(won.at(-1)).toMatchObject({ executedSell: sold.toString(), executedBuy: order.executedBuyAmount })
    const surplus =
      quote.kind === 'sell'
        ? BigInt(order.executedBuyAmount) - BigInt(quote.buyAmount)
        : ((sellAmount - (sold - fee)) * BigInt(quote.buyAmount)) / sellAmount
    // the buy token is the native one, wrapped: an atom of it is a wei
    expect(won.at(-1)?.score).toBe(surplus.toString())
    const attempt = report.auctions.flatMap(({ settlementAttempts }) => settlementAttempts).at(-1)
    expect(attempt?.outcome).toBe('success')
  })

  test('an order that a contract placed for ether', async () => {
    const sellAmountBeforeFee = parseEther('0.2').toString()
    const placed = { sellToken: weth(), buyToken: token.address, signingScheme: 'eip1271', onchainOrder: true }
    const { quote, id } = await requestQuote({ sellAmountBeforeFee }, placed)
    const order = buildEthFlowOrder({
      buyToken: token.address,
      receiver: account.address,
      sellAmount: BigInt(quote.sellAmount),
      buyAmount: BigInt(quote.buyAmount),
      feeAmount: BigInt(quote.feeAmount),
      appData: zeroHash,
      validTo: quote.validTo,
      quoteId: BigInt(id ?? 0),
    })
    await createEthFlowOrder(stack.chain, account.address, order)
    const uid = uidOfEthFlow(order)
    await expect.poll(async () => (await fetchOrder(uid))?.status, { timeout: patienceMs }).toBe('fulfilled')
    expect(await fetchOrder(uid)).toMatchObject({
      ...{ class: 'market', feeAmount: quote.feeAmount, executedFeeAmount: quote.feeAmount, executedFee: '0' },
      executedSellAmount: sellAmountBeforeFee,
      onchainOrderData: { placementError: null },
    })
  })
})

const fetchOrder = async (uid: string): Promise<Record<string, unknown> | undefined> => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders/${uid}`)
  return response.ok ? ((await response.json()) as Record<string, unknown>) : undefined
}

test('a partial fill pays its part of the fee, rounded down, and the rest stays open', async () => {
  const other = await createTrader(stack)
  const response = await requestQuote({ sellAmountBeforeFee: parseEther('900').toString() }, { from: other.address })
  const [sellAmount, fee] = [BigInt(response.quote.sellAmount), BigInt(response.quote.feeAmount)]
  await token.fund(other.address, '700')
  const held = parseEther('700')
  const signed = await signOrder(stack.info, other.privateKey, {
    ...{ sellToken: token.address, buyToken: weth(), sellAmount, buyAmount: BigInt(response.quote.buyAmount) },
    ...{ feeAmount: fee, validTo: response.quote.validTo, partiallyFillable: true },
  })
  const uid = await book.post({ ...signed, quoteId: response.id })
  const order = await book.waitFor(uid, ({ executedSellAmount }) => executedSellAmount !== '0')
  const traded = BigInt(order.executedSellAmountBeforeFees ?? 0)
  const executedFeeAmount = (fee * traded) / sellAmount
  expect(traded).toBeGreaterThan(sellAmount / 4n)
  expect(traded).toBeLessThan(sellAmount)
  expect(order).toMatchObject({
    ...{ status: 'open', class: 'market', executedFee: '0', executedFeeAmount: executedFeeAmount.toString() },
    executedSellAmount: (traded + executedFeeAmount).toString(),
  })
  expect(await token.balanceOf(other.address)).toBe(held - traded - executedFeeAmount)
})

/** Signs the order to sign of a quote as it is; resolves with its UID. */
const signSignable = async ({ id, signable }: QuoteResponse): Promise<string> => {
  if (!signable) throw new Error('no order to sign')
  const { order, typedData } = signable
  const signature = await privateKeyToAccount(account.privateKey).signTypedData(
    typedData as Parameters<ReturnType<typeof privateKeyToAccount>['signTypedData']>[0],
  )
  return book.post({ ...order, from: account.address, quoteId: id, signingScheme: 'eip712', signature })
}

test('48 small orders to sign of an owner that holds what it buys fill, half of them within half a basis point of their quote or above', async () => {
  const findToken = (symbol: string) => stack.info.tokens[symbol]?.address
  const [USDC, DAI] = [findToken('USDC'), findToken('DAI')]
  const [dollar, etherOfDollar] = [10n ** 6n, parseEther('1') / 3_000n]
  const overQuoteBps: number[] = []
  for (let round = 0; round < 8; round += 1) {
    const sizes = [1n, 2n, 5n].flatMap((dollars) => [
      { sellToken: USDC, buyToken: weth(), sellAmountBeforeFee: (dollars * dollar).toString() },
      { sellToken: weth(), buyToken: DAI, sellAmountBeforeFee: (dollars * etherOfDollar).toString() },
    ])
    const quoted = await Promise.all(
      sizes.map(({ sellAmountBeforeFee, ...pair }) => requestQuote({ sellAmountBeforeFee }, pair)),
    )
    const uids = await Promise.all(quoted.map(signSignable))
    for (const [i, uid] of uids.entries()) {
      const order = await book.waitFor(uid, ({ status }) => status === 'fulfilled')
      const { sellAmount = '1', buyAmount = '1' } = quoted[i]?.amounts.afterPartnerFee ?? {}
      const [bought, sold] = [order.executedBuyAmount, order.executedSellAmount].map(Number)
      overQuoteBps.push(10_000 * (((bought ?? 0) * Number(sellAmount)) / ((sold ?? 0) * Number(buyAmount)) - 1))
    }
  }
  expect(overQuoteBps).toHaveLength(48)
  // the six orders of a round share pools, so the last ones may fill behind others
  expect(overQuoteBps.toSorted((a, b) => a - b)[24]).toBeGreaterThanOrEqual(-0.5)
})

// at the end: these orders fill now and then, and move the price
test.each<[string, Size]>([
  ['a budget', { sellAmountBeforeFee: parseEther('90').toString() }],
  ['an exact sale', { sellAmountAfterFee: parseEther('60').toString() }],
  ['an exact purchase', { buyAmountAfterFee: parseEther('0.02').toString() }],
])('the order to sign of %s has its quote and is within the market, without slippage as well', async (_, size) => {
  const quoted = await requestQuote(size, { slippageBps: 0 })
  const uid = (await signSignable(quoted)) as Hex
  expect(await trader.orderBook.getOrder(uid)).toMatchObject({ quoteId: quoted.id })
  const [stored] = await connectDatabase(stack.info.databaseUrl)
    .select({ class: orders.class })
    .from(orders)
    .where(eq(orders.uid, uid))
  expect(stored?.class).toBe('market')
})
