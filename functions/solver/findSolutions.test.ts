import { type Address, parseEther, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { decodeSettlement } from '#shared/solvers/decodeSettlement.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { buildAuction, prices, type SolverMarket, startSolverMarket } from '#test/helpers/solverMarket.ts'
import { computeGas } from './computeGas.ts'
import { computeSettlementFee } from './computeSettlementFee.ts'
import type { RoutingDeps } from './findQuote.ts'
import { type EncodedSolution, findSolutions } from './findSolutions.ts'

let market: SolverMarket

beforeAll(async () => {
  market = await startSolverMarket()
})

afterAll(() => market?.stop())

const routing = (strategy: RoutingDeps['strategy']): RoutingDeps => ({
  network: market.network,
  strategy,
  factory: market.network.uniswapV2Factory,
  baseTokens: [market.network.wrappedNative, market.network.usdReference.address],
  solver: market.solver.address,
})

const solve = async (id: string, orders: AuctionOrder[], strategy: RoutingDeps['strategy'] = 'multihop') => {
  const solutions: EncodedSolution[] = []
  const auction = buildAuction(market, id, orders)
  await findSolutions(market.connect(), routing(strategy), auction, Date.now(), (solution) => solutions.push(solution))
  return solutions
}

const settle = async (solution: EncodedSolution | undefined) => {
  if (!solution) throw new Error('nothing to settle')
  const { settlementContract: to } = market.network
  // an estimate in the second of a pool's last swap leaves out its price accumulators, 45,000 gas
  const gas = 3_000_000n
  const hash = await market.chain.sendTransaction({ account: market.solver, to, data: solution.calldata, gas })
  const receipt = await market.chain.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  return { receipt, transaction: await market.chain.getTransaction({ hash }) }
}

describe('a settlement on the chain', () => {
  test('moves exactly the proposed amounts of a sell and a buy order, and keeps exactly their fees', async () => {
    const { WETH, USDC, COW } = market.tokens
    const { settlementContract } = market.network
    const receiver: Address = '0x00000000000000000000000000000000000e7419'
    const sell = await market.signOrder({})
    const buy = await market.signOrder({
      kind: 'buy',
      sellToken: COW,
      buyToken: WETH,
      sellAmount: parseEther('50000'),
      buyAmount: parseEther('3'),
      receiver,
    })
    const solutions = await solve('81985529216486895', [sell, buy])
    const fills = new Map(
      solutions.flatMap(({ batches }) => batches.flatMap(({ fills }) => fills)).map((fill) => [fill.order.uid, fill]),
    )
    expect(fills.size).toBe(2)
    const [soldFill, boughtFill] = [fills.get(sell.uid), fills.get(buy.uid)]
    if (!soldFill || !boughtFill) throw new Error('not filled')
    expect(soldFill.executedSell).toBe(parseEther('1'))
    expect(boughtFill.executedBuy).toBe(parseEther('3'))

    const watched = [
      [WETH, market.trader],
      [USDC, market.trader],
      [COW, market.trader],
      [WETH, receiver],
      ...[WETH, USDC, COW].map((token) => [token, settlementContract] as const),
    ] as const
    const read = () => Promise.all(watched.map(([token, owner]) => market.balanceOf(token, owner)))
    const before = await read()
    const gasPrice = await market.chain.getGasPrice()
    const joint = solutions.find(({ batches }) => batches.length === 2)
    const { receipt, transaction } = await settle(joint)
    const after = await read()
    const moved = after.map((balance, i) => balance - (before[i] ?? 0n))
    const fees = [
      computeSettlementFee(computeGas(1, false), gasPrice, prices.WETH),
      computeSettlementFee(computeGas(1, false), gasPrice, prices.COW),
    ]
    expect(moved).toEqual([
      -soldFill.executedSell,
      soldFill.executedBuy,
      -boughtFill.executedSell,
      boughtFill.executedBuy,
      fees[0],
      0n,
      fees[1],
    ])

    const decoded = decodeSettlement(transaction.input)
    expect(decoded?.auctionId).toBe(81985529216486895n)
    const trades = parseEventLogs({ abi: settlementAbi, eventName: 'Trade', logs: receipt.logs })
    expect(trades.map(({ args }) => [args.sellAmount, args.buyAmount])).toEqual(
      decoded?.trades.map(({ executedSell, executedBuy }) => [executedSell, executedBuy]),
    )
    expect(new Set(trades.map(({ args }) => args.orderUid))).toEqual(new Set([sell.uid, buy.uid]))
    const decodedFees = new Map(decoded?.trades.map(({ order, feeInSellToken }) => [order.sellToken, feeInSellToken]))
    expect([decodedFees.get(WETH), decodedFees.get(COW)]).toEqual(fees)
  })

  test('pays out the native token', async () => {
    const { USDC } = market.tokens
    const receiver: Address = '0x00000000000000000000000000000000000e7420'
    const order = await market.signOrder({
      sellToken: USDC,
      buyToken: nativeSentinel,
      sellAmount: 3_000_000_000n,
      receiver,
    })
    const [best] = await solve('1', [order])
    await settle(best)
    expect(await market.balanceOf(nativeSentinel, receiver)).toBe(best?.batches[0]?.fills[0]?.executedBuy)
    expect(await market.balanceOf(nativeSentinel, market.network.settlementContract)).toBe(0n)
  })

  test('wrapped native is unwrapped for the native token without any pool', async () => {
    const { WETH } = market.tokens
    const receiver: Address = '0x00000000000000000000000000000000000e7421'
    const order = await market.signOrder({ sellToken: WETH, buyToken: nativeSentinel, receiver })
    const gasPrice = await market.chain.getGasPrice()
    const [best] = await solve('1', [order], 'direct')
    await settle(best)
    expect(await market.balanceOf(nativeSentinel, receiver)).toBe(
      parseEther('1') - computeSettlementFee(computeGas(0, true), gasPrice, prices.WETH),
    )
  })

  test('fills what is left of a partially fillable order', async () => {
    const first = await market.signOrder({ partiallyFillable: true, sellAmount: parseEther('2') })
    await settle((await solve('1', [{ ...first, executed: parseEther('1.5') }]))[0])
    const [rest] = await solve('2', [{ ...first, executed: parseEther('0.5') }])
    expect(rest?.batches[0]?.fills[0]?.executedSell).toBe(parseEther('1.5'))
    await settle(rest)
    expect(await solve('3', [{ ...first, executed: parseEther('1.9') }])).toEqual([])
  })

  test('settles many orders of one pair at one price', async () => {
    const orders = await Promise.all(
      [1n, 2n, 3n, 4n, 5n].map((ether) => market.signOrder({ sellAmount: ether * 10n ** 17n })),
    )
    const { USDC } = market.tokens
    const [held, before] = [
      await market.balanceOf(USDC, market.network.settlementContract),
      await market.balanceOf(USDC, market.trader),
    ]
    const [best] = await solve('1', orders)
    const fills = best?.batches.flatMap((batch) => batch.fills) ?? []
    expect(fills).toHaveLength(5)
    const { transaction } = await settle(best)
    const bought = fills.reduce((sum, fill) => sum + fill.executedBuy, 0n)
    expect((await market.balanceOf(USDC, market.trader)) - before).toBe(bought)
    // rounding leaves less than an atom of each order
    expect((await market.balanceOf(USDC, market.network.settlementContract)) - held).toBeLessThan(5n)
    for (const { feeInSellToken } of decodeSettlement(transaction.input)?.trades ?? []) {
      expect(feeInSellToken).toBeGreaterThan(0n)
      expect(feeInSellToken).toBeLessThan(parseEther('0.001'))
    }
  })
})

describe('an order that cannot be settled', () => {
  test('does not hold up the others of its pair', async () => {
    const good = [
      await market.signOrder({ sellAmount: 10n ** 17n }),
      await market.signOrder({ sellAmount: 2n * 10n ** 17n }),
    ]
    const unfunded = await market.signOrder({ sellAmount: parseEther('500') })
    const filled = (await solve('1', [...good, unfunded])).flatMap(({ batches }) =>
      batches.flatMap(({ fills }) => fills.map(({ order }) => order.uid)),
    )
    expect(new Set(filled)).toEqual(new Set(good.map(({ uid }) => uid)))
  })

  test('is not proposed when its signature, time, balance source or price does not allow it', async () => {
    const orders = await Promise.all([
      market.signOrder({ validTo: 1 }),
      market.signOrder({ sellTokenBalance: 'internal' }),
      market.signOrder({ buyAmount: 10n ** 12n }),
      market.signOrder({ sellToken: nativeSentinel }),
    ])
    const broken = { ...(await market.signOrder({})), signature: '0x1234' as const }
    const forged = { ...(await market.signOrder({})), buyAmount: 2n }
    expect(await solve('1', [...orders, broken, forged])).toEqual([])
  })
})
