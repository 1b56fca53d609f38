import { type Address, erc20Abi, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { createPool, deployToken, donate, mintToken } from '../helpers/chain/uniswapV2.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

/** of each group of tests; all run until the end */
const stacks: Stack[] = []
let stack: Stack
let trader: Trader

afterAll(() => Promise.all(stacks.map((each) => each.stop())))

/** A stack whose quotes and auctions have the same fees, and a trader who approved everything. */
const start = async (fees: Record<string, unknown>): Promise<void> => {
  const vars = Object.fromEntries(
    Object.entries(fees).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
  // settlements trade exactly what they propose
  const solver = { SOLVER_TOLERANCE_PPM: '0' }
  stack = await startTestStack({ vars: { quotes: vars, auctions: vars, solver } })
  stacks.push(stack)
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
  for (const { address } of Object.values(stack.info.tokens)) await trader.approveRelayer(address)
}

const token = (symbol: string): Address => stack.info.tokens[symbol]?.address ?? '0x'

const call = async (path: string, body?: object): Promise<never> => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const answer = await response.json()
  expect(response.ok, JSON.stringify(answer)).toBe(true)
  return answer as never
}

type QuoteAnswer = {
  id: number
  protocolFeeBps?: string
  quote: { sellAmount: string; buyAmount: string; feeAmount: string }
  signable: { order: { sellAmount: string; buyAmount: string } }
}

const quote = (request: object): Promise<QuoteAnswer> => call('v1/quote', { from: trader.address, ...request })

const post = async (terms: SignableOrder, quoteId?: number): Promise<string> => {
  const order = await signOrder(stack.info, stack.info.accounts[0]?.privateKey as Hex, terms)
  return call('v1/orders', { ...order, ...(quoteId && { quoteId }) })
}

/** Posts the order to sign from a quote. */
const postQuoted = (
  { id, signable: { order } }: QuoteAnswer,
  terms: Pick<SignableOrder, 'sellToken' | 'buyToken' | 'kind' | 'appData'>,
): Promise<string> => post({ ...terms, sellAmount: BigInt(order.sellAmount), buyAmount: BigInt(order.buyAmount) }, id)

type Policy = Record<string, { factor: number; maxVolumeFactor?: number; quote?: Record<string, string> }>

/** Fees of a filled order, asserted to be equal in every response and on the chain. */
const findPaid = async (uid: string, timeoutMs?: number) => {
  await waitForStatus(trader, uid, 'fulfilled', timeoutMs)
  const order: Record<string, string> = await call(`v1/orders/${uid}`)
  const isSell = order.kind === 'sell'
  const surplusToken = (isSell ? order.buyToken : order.sellToken) as Address
  const [trade]: { blockNumber: number; executedProtocolFees: { policy: Policy; amount: string; token: string }[] }[] =
    await call(`v2/trades?orderUid=${uid}`)
  const { executedProtocolFees = [], blockNumber = 0 } = trade ?? {}
  expect(executedProtocolFees.every((fee) => fee.token === surplusToken)).toBe(true)

  const { auctions }: { auctions: { feePolicies: { kind: string }[]; executions: Record<string, unknown>[] }[] } =
    await call(`v1/debug/order/${uid}`)
  const auction = auctions.find(({ executions }) => executions.length > 0)
  expect(auction?.executions).toMatchObject([
    {
      executedFee: order.executedFee,
      executedFeeToken: order.sellToken,
      protocolFees: executedProtocolFees.map(({ amount, token }) => ({ amount, token })),
    },
  ])
  expect(auction?.feePolicies.map(({ kind }) => kind)).toEqual(
    executedProtocolFees.map(({ policy }) => Object.keys(policy)[0]),
  )

  const fees = executedProtocolFees.map(({ amount }) => BigInt(amount))
  const total = fees.reduce((sum, fee) => sum + fee, 0n)
  const kept = await findKept(surplusToken, blockNumber)
  const paid = BigInt(order.executedFee ?? 0) + BigInt(order.executedFeeAmount ?? 0)
  if (isSell) {
    // all of it stays with the settlement contract, plus at most an atom for each policy, and a network fee that was sold
    const keptSold = await findKept(order.sellToken as Address, blockNumber)
    const worth = (paid * BigInt(order.executedBuyAmount ?? 0)) / BigInt(order.executedSellAmount ?? 1)
    expect(kept - total).toBeGreaterThanOrEqual(0n)
    expect(kept - total).toBeLessThanOrEqual(BigInt(fees.length) + (keptSold === 0n ? worth : 0n))
    expect(paid).toBeGreaterThan(keptSold - 1n)
  } else if ([token('WETH'), token('USDC')].includes(surplusToken)) {
    // with the network fee in the same token
    expect(kept).toBe(paid)
    expect(kept).toBeGreaterThan(total)
  } else {
    // the network fee was sold
    expect(kept - total).toBeGreaterThanOrEqual(0n)
    expect(kept - total).toBeLessThanOrEqual(BigInt(fees.length))
  }
  return {
    order,
    fees,
    policies: executedProtocolFees.map(({ policy }) => policy),
    sold: BigInt(order.executedSellAmount ?? 0),
    bought: BigInt(order.executedBuyAmount ?? 0),
  }
}

/** Atoms of a token that stayed in the settlement contract in a block. */
const findKept = async (address: Address, block: number): Promise<bigint> => {
  const [after, before] = await Promise.all(
    [block, block - 1].map((number) =>
      trader.chain.readContract({
        address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [stack.info.contracts.settlement],
        blockNumber: BigInt(number),
      }),
    ),
  )
  return (after ?? 0n) - (before ?? 0n)
}

/** The double of a factor changes a result by at most an atom. */
const expectAmounts = (amounts: readonly bigint[], expected: readonly bigint[]): void => {
  expect(amounts.length).toBe(expected.length)
  for (const [i, amount] of amounts.entries()) {
    const difference = amount - (expected[i] ?? 0n)
    expect(difference >= -1n && difference <= 1n, `${amounts} are about ${expected}`).toBe(true)
  }
}

const oneEther = parseUnits('1', 18)

describe('fees on surplus, on price improvement and of partners', () => {
  beforeAll(() =>
    start({
      FEE_POLICIES: [
        { kind: 'surplus', orderClass: 'limit', factor: 0.5, maxVolumeFactor: 0.01 },
        { kind: 'priceImprovement', orderClass: 'market', factor: 0.5, maxVolumeFactor: 0.02 },
      ],
      FEE_POLICIES_UPCOMING: { from: 4_000_000_000, policies: [{ kind: 'volume', orderClass: 'any', factor: 0.2 }] },
      MAX_PARTNER_FEE_BPS: '3750',
    }),
  )

  const surplus = (factor: number, maxVolumeFactor: number) => ({ surplus: { factor, maxVolumeFactor } })

  /** Roughly the market rate, from a quote that no order of the test matches. */
  const findMarket = async (sellAmount: bigint): Promise<bigint> => {
    const { quote: quoted } = await quote({
      kind: 'sell',
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      sellAmountBeforeFee: `${sellAmount + 1n}`,
    })
    return BigInt(quoted.buyAmount)
  }

  test('a limit order without a quote waits for a pool, then pays half of its surplus, at most 1 % of its volume', async () => {
    const sellToken = await deployToken(stack.chain, 'NEW')
    await mintToken(stack.chain, sellToken, trader.address, 100n * oneEther)
    await trader.approveRelayer(sellToken)
    const uid = await post({ sellToken, buyToken: token('USDC'), sellAmount: 100n * oneEther, buyAmount: 50_000_000n })
    expect(await call(`v1/orders/${uid}`)).toMatchObject({ status: 'open', class: 'limit' })
    await createPool(stack.chain, [
      [sellToken, 1_000_000n * oneEther],
      [token('USDC'), parseUnits('1000000', 6)],
    ])
    const { policies, fees, bought } = await findPaid(uid, 110_000)
    expect(policies).toEqual([surplus(0.5, 0.01)])
    expectAmounts(fees, [bought / 99n])
  })

  test('a market order pays half of its gain over its quote, network fee taken out', async () => {
    const pair = { sellToken: token('WETH'), buyToken: token('USDC') }
    const quoted = await quote({ kind: 'sell', ...pair, sellAmountBeforeFee: `${2n * oneEther}` })
    expect(quoted.protocolFeeBps).toBeUndefined()
    await donate(stack.chain, token('USDC'), token('WETH'), parseUnits('300000', 6))
    const { order, policies, fees, bought } = await findPaid(await postQuoted(quoted, pair))
    expect(order).toMatchObject({ class: 'limit', quoteId: quoted.id })
    const { priceImprovement } = policies[0] ?? {}
    expect(priceImprovement).toMatchObject({ factor: 0.5, maxVolumeFactor: 0.02 })
    const { sellAmount, buyAmount, fee } = priceImprovement?.quote ?? {}
    const [sell, buy, network] = [BigInt(sellAmount ?? 0), BigInt(buyAmount ?? 0), BigInt(fee ?? 0)]
    const promised = ((buy - (network * buy) / sell) * 2n * oneEther) / sell
    expectAmounts(fees, [bought - promised])
    expect(bought).toBeGreaterThan(promised)
  })

  test('a buy order pays in the token it sells', async () => {
    const pair = { sellToken: token('USDC'), buyToken: token('DAI') }
    const uid = await post({ ...pair, kind: 'buy', sellAmount: parseUnits('400', 6), buyAmount: parseUnits('200', 18) })
    const { policies, fees, sold } = await findPaid(uid)
    expect(policies).toEqual([surplus(0.5, 0.01)])
    expectAmounts(fees, [sold / 101n])
  })

  test('partners share a limit: the caps of three compound to it', async () => {
    const fee = (maxVolumeBps: number) => ({ recipient: trader.address, surplusBps: 5000, maxVolumeBps })
    const appData = JSON.stringify({ metadata: { partnerFee: [fee(2500), fee(2000), fee(1000)] } })
    const buyAmount = (await findMarket(oneEther)) / 3n
    const terms = { sellToken: token('WETH'), buyToken: token('USDC'), sellAmount: oneEther, buyAmount, appData }
    const { policies, fees, bought } = await findPaid(await post(terms))
    expect(policies).toEqual([surplus(0.5, 0.01), surplus(0.5, 0.25), surplus(0.5, 0.1), surplus(0.5, 0)])
    const second = bought / 9n
    const first = (bought + second) / 3n
    expectAmounts(fees, [(bought + second + first) / 99n, first, second, 0n])
  })
})

describe('a fee on volume', () => {
  beforeAll(() => start({ FEE_POLICIES: [{ kind: 'volume', orderClass: 'any', factor: 0.05 }] }))

  test.each([
    ['sell' as const, { sellAmountBeforeFee: `${500n * oneEther}` }],
    ['buy' as const, { buyAmountAfterFee: '300000000' }],
  ])('a %s order that signs its quote as returned pays its signed fee and the quoted amounts', async (kind, size) => {
    const pair = { sellToken: token('COW'), buyToken: token('USDC'), kind }
    const { id, protocolFeeBps, quote: offer } = await quote({ ...pair, ...size })
    expect(protocolFeeBps).toBe('500')
    const [sellAmount, buyAmount, feeAmount] = [offer.sellAmount, offer.buyAmount, offer.feeAmount].map(BigInt)
    const uid = await post({ ...pair, sellAmount: sellAmount ?? 0n, buyAmount: buyAmount ?? 0n, feeAmount }, id)
    const { order, policies, fees, sold, bought } = await findPaid(uid)
    expect(order).toMatchObject({ class: 'market', executedFeeAmount: offer.feeAmount })
    expect(policies).toEqual([{ volume: { factor: 0.05 } }])
    // a signed fee is not part of the volume; to a millionth of a millionth, the rounding of the factor's double
    const expected = kind === 'sell' ? bought / 19n : (sold - (feeAmount ?? 0n)) / 21n
    expectAmounts([(fees[0] ?? -1n) / 1_000_000n], [expected / 1_000_000n])
  })
})
