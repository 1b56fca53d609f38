import {
  type Address,
  type CallParameters,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseEther,
  parseEventLogs,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { computeNextGasPrice } from '#shared/chain/findNextGasPrice.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { buildHookInteractions } from '#shared/hooks/buildHookInteractions.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { buildEthFlowOrder, createEthFlowOrder, ethFlowAbi, uidOfEthFlow } from '#test/helpers/chain/ethFlow.ts'
import { hostileCode } from '#test/helpers/chain/hostileCode.ts'
import { deployPermitToken } from '#test/helpers/chain/permitToken.ts'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
import { prices, type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { solveAuction } from '#test/helpers/solvers/solvingDeps.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { decodeSettlement } from '../../auctions/settlement/decodeSettlement.ts'
import { computeSettlementFee } from '../batches/computeOrderCost.ts'
import { toOwnerTokenKey } from '../batches/toOwnerTokenKey.ts'
import { computeGas, computeSwapGas, hopGas, strandGas } from '../routing/computeGas.ts'
import { listStrands } from '../routing/swapRoute.ts'
import { findSendingTerms } from '../sending/findSendingTerms.ts'
import { createTurns } from './createTurns.ts'
import { findHookedFunds } from './findHookedFunds.ts'
import type { RoutingDeps } from './findQuote.ts'
import type { EncodedSolution } from './findSolutions.ts'

let market: SolverMarket

beforeAll(async () => {
  market = await startSolverMarket()
})

afterAll(() => market?.stop())

const solve = (id: string, orders: AuctionOrder[], strategy: RoutingDeps['strategy'] = 'multihop') =>
  solveAuction(market, id, orders, { strategy })

const settle = async (solution: EncodedSolution | undefined) => {
  if (!solution) throw new Error('nothing to settle')
  const { settlementContract: to } = market.network
  // an estimate in the second of a pool's last swap leaves out its price accumulators, 45,000 gas
  const gas = 3_000_000n
  const hash = await market.chain.sendTransaction({ account: market.solver, to, data: solution.calldata, gas })
  const receipt = await waitForReceipt(market.chain, hash)
  expect(receipt.status).toBe('success')
  return { receipt, transaction: await market.chain.getTransaction({ hash }) }
}

/** The gas price of network fees; its formula has a test of its own. */
const findGasPrice = async () => computeNextGasPrice(await findSendingTerms(market.connect(), market.solver.address))

describe('a settlement on the chain', () => {
  test('moves exactly the proposed amounts of a sell and a buy order, and keeps their fees in the native token', async () => {
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
    const gasPrice = await findGasPrice()
    const joint = solutions.find(({ batches }) => batches.length === 2)
    const { receipt, transaction } = await settle(joint)
    const after = await read()
    const moved = after.map((balance, i) => balance - (before[i] ?? 0n))
    const fees = [
      computeSettlementFee(computeGas(hopGas, false), gasPrice, prices.WETH),
      computeSettlementFee(computeGas(hopGas, false), gasPrice, prices.COW),
    ]
    expect(moved).toEqual([
      -soldFill.executedSell,
      soldFill.executedBuy,
      -boughtFill.executedSell,
      boughtFill.executedBuy,
      moved[4],
      0n,
      0n,
    ])
    // the other fee is worth the same, less 0.3 % and 0.6 % of the pool
    const sold = (moved[4] ?? 0n) - (fees[0] ?? 0n)
    expect(sold).toBeGreaterThan(((fees[0] ?? 0n) * 99n) / 100n)
    expect(sold).toBeLessThan(fees[0] ?? 0n)

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

  test('takes a signed fee on top of the price, keeps it in the native token, and charges no other network fee', async () => {
    const { WETH, COW } = market.tokens
    const { settlementContract } = market.network
    const feeAmount = parseEther('0.01')
    const sell = await market.signOrder({ feeAmount })
    const buy = await market.signOrder({
      kind: 'buy',
      sellToken: COW,
      buyToken: WETH,
      sellAmount: parseEther('50000'),
      buyAmount: parseEther('3'),
      feeAmount: parseEther('100'),
    })
    const partial = await market.signOrder({
      sellAmount: parseEther('2'),
      feeAmount: 20_000_000_000_000_001n,
      partiallyFillable: true,
      executed: parseEther('0.7'),
    })
    for (const [order, token, fee] of [
      [sell, WETH, feeAmount],
      [buy, COW, parseEther('100')],
      [partial, WETH, (20_000_000_000_000_001n * 13n) / 20n],
    ] as const) {
      const [best] = await solve('1', [order])
      const fill = best?.batches[0]?.fills[0]
      if (!fill) throw new Error('not filled')
      const readKept = () => Promise.all([WETH, COW].map((address) => market.balanceOf(address, settlementContract)))
      const kept = await readKept()
      const { receipt, transaction } = await settle(best)
      const [trade] = parseEventLogs({ abi: settlementAbi, eventName: 'Trade', logs: receipt.logs })
      expect(trade?.args).toMatchObject({
        feeAmount: fee,
        sellAmount: fill.executedSell + fee,
        buyAmount: fill.executedBuy,
      })
      const [weth = 0n, cow] = (await readKept()).map((balance, i) => balance - (kept[i] ?? 0n))
      expect(cow).toBe(0n)
      // 100 COW are worth 0.01 WETH
      const worth = token === WETH ? fee : feeAmount
      expect(weth).toBeGreaterThanOrEqual(token === WETH ? fee : (worth * 98n) / 100n)
      expect(weth).toBeLessThanOrEqual(worth)
      const [decoded] = decodeSettlement(transaction.input)?.trades ?? []
      expect(decoded).toMatchObject({ executedSell: fill.executedSell + fee, feeInSellToken: 0n })
    }
  })

  test('wrapped native is unwrapped for the native token without any pool', async () => {
    const { WETH } = market.tokens
    const receiver: Address = '0x00000000000000000000000000000000000e7421'
    const order = await market.signOrder({ sellToken: WETH, buyToken: nativeSentinel, receiver })
    const gasPrice = await findGasPrice()
    const [best] = await solve('1', [order], 'direct')
    await settle(best)
    expect(await market.balanceOf(nativeSentinel, receiver)).toBe(
      parseEther('1') - computeSettlementFee(computeGas(0n, true), gasPrice, prices.WETH),
    )
  })

  test('pays ether to a proxy behind twenty orders of strangers with other receivers', async () => {
    const { WETH } = market.tokens
    const receiver: Address = `0x${'9c'.repeat(20)}`
    // reads two slots: 4,200 gas when they are not declared, of the 2,300 that it gets
    await market.chain.setCode({ address: receiver, bytecode: '0x600054506001545000' })
    const sign = (changes: Partial<AuctionOrder>) =>
      market.signOrder({ sellToken: WETH, buyToken: nativeSentinel, ...changes })
    const strangers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        sign({ receiver: `0x${(i + 1).toString(16).padStart(2, '0').repeat(20)}`, buyAmount: parseEther('9') }),
      ),
    )
    const order = await sign({ receiver })
    const [best] = await solve('1', [...strangers, order], 'direct')
    expect(best?.batches.flatMap(({ fills }) => fills.map(({ order: { uid } }) => uid))).toEqual([order.uid])
    expect(best?.accessList.map(({ address }) => address)).toEqual([receiver])
  })

  test('swaps in a concentrated-liquidity pool, also after a constant-product one', async () => {
    const { COW, DAI, USDC } = market.tokens
    const { settlementContract } = market.network
    for (const terms of [
      { sellToken: COW, buyToken: DAI, sellAmount: parseEther('20000') },
      {
        kind: 'buy' as const,
        sellToken: DAI,
        buyToken: COW,
        sellAmount: parseEther('90000'),
        buyAmount: parseEther('70000'),
      },
      { sellToken: USDC, buyToken: COW, sellAmount: 400_000_000_000n },
    ]) {
      const snapshot = await market.chain.snapshot()
      const order = await market.signOrder(terms)
      const [best] = await solve('1', [order])
      const [fill] = best?.batches[0]?.fills ?? []
      expect(best?.batches[0]?.route.hops.map(({ pool }) => pool.kind)).toContain('concentrated')
      const read = () =>
        Promise.all([
          market.balanceOf(order.sellToken, market.trader),
          market.balanceOf(order.buyToken, market.trader),
          market.balanceOf(order.buyToken, settlementContract),
          market.balanceOf(order.sellToken, market.network.uniswapV3.router),
        ])
      const before = await read()
      const { receipt } = await settle(best)
      const [sold = 0n, bought, kept = 0n, stranded] = (await read()).map((balance, i) => balance - (before[i] ?? 0n))
      expect([-sold, bought, stranded]).toEqual([fill?.executedSell, fill?.executedBuy, 0n])
      expect(kept).toBeLessThan(1_000_000n)
      const strands = best?.batches[0] ? listStrands(best.batches[0].route) : []
      const swapGas = computeSwapGas(strands.flat().map(({ pool }) => pool)) + strandGas * BigInt(strands.length - 1)
      expect(receipt.gasUsed).toBeLessThan(computeGas(swapGas, false))
      // the tests below expect the pools as they are at first
      await market.chain.revert({ id: snapshot })
    }
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

describe('a partially fillable order', () => {
  const sellDai = () => {
    const { WETH, DAI } = market.tokens
    // the pool of 200 WETH and 600,000 DAI pays 2,900 for the last of about 3 WETH
    return market.signOrder({
      sellToken: WETH,
      buyToken: DAI,
      sellAmount: parseEther('50'),
      buyAmount: parseEther('145000'),
      partiallyFillable: true,
    })
  }

  test('is filled as far as the pool pays its limit, and further when the pool has more', async () => {
    const { DAI } = market.tokens
    const order = await sellDai()
    const [best] = await solve('1', [order], 'direct')
    const [fill] = best?.batches[0]?.fills ?? []
    expect(fill?.executedSell).toBeGreaterThan(parseEther('3'))
    expect(fill?.executedSell).toBeLessThan(parseEther('3.3'))
    const before = await market.balanceOf(DAI, market.trader)
    await settle(best)
    expect((await market.balanceOf(DAI, market.trader)) - before).toBe(fill?.executedBuy)

    const rest = { ...order, executed: fill?.executedSell ?? 0n }
    expect(await solve('2', [rest], 'direct')).toEqual([])
    const [deeper] = await solve('3', [rest], 'multihop')
    expect(deeper?.batches[0]?.fills[0]?.executedSell).toBe(parseEther('50') - rest.executed)
    await settle(deeper)
  })

  test('is filled as far as its owner can pay; a fill-or-kill order like it is left out', async () => {
    const { WETH } = market.tokens
    const snapshot = await market.chain.snapshot()
    const terms = { owner: market.otherTrader, sellAmount: parseEther('200') }
    const partial = await market.signOrder({ ...terms, partiallyFillable: true })
    const held = await market.balanceOf(WETH, market.otherTrader)
    expect(held).toBe(parseEther('100'))
    const [best] = await solve('1', [await market.signOrder(terms), partial])
    expect(best?.batches[0]?.fills).toMatchObject([{ order: { uid: partial.uid }, executedSell: held }])
    const bought = await market.signOrder({
      owner: market.otherTrader,
      kind: 'buy',
      sellAmount: parseEther('400'),
      buyAmount: 600_000_000_000n,
      partiallyFillable: true,
    })
    const [part] = await solve('2', [bought])
    const [fill] = part?.batches[0]?.fills ?? []
    expect(fill?.executedSell).toBeGreaterThan((held * 999n) / 1000n)
    expect(fill?.executedSell).toBeLessThanOrEqual(held)
    await settle(part)
    expect(await market.balanceOf(WETH, market.otherTrader)).toBe(held - (fill?.executedSell ?? 0n))
    await market.chain.revert({ id: snapshot })
  })

  test('is left out when what can be filled is not worth its gas', async () => {
    const gasPrice = await findGasPrice()
    const fee = computeSettlementFee(computeGas(hopGas, false), gasPrice, prices.WETH)
    const dust = await market.signOrder({ partiallyFillable: true, sellAmount: 2n * fee - 1n })
    expect(await solve('1', [dust])).toEqual([])
    const enough = await market.signOrder({ partiallyFillable: true, sellAmount: 3n * fee })
    expect(await solve('1', [enough])).toHaveLength(1)
  })
})

test('an order whose fee no pool buys for a base token is declined, and the log names it', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const order = await market.signOrder({ sellToken: '0x00000000000000000000000000000000000e7422' })
  expect(await solve('1', [order, await market.signOrder({})])).toHaveLength(1)
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)))
  log.mockRestore()
  expect(lines).toEqual([
    {
      message: 'no solutions for orders: their fees cannot be turned into the native token or a base token',
      auctionId: '1',
      count: 1,
      uids: [order.uid],
    },
  ])
})

describe('two opposite orders', () => {
  const moved = async (best: EncodedSolution | undefined) => {
    const { COW, USDC, WETH } = market.tokens
    const owners = [market.trader, market.otherTrader, market.network.settlementContract]
    const read = () =>
      Promise.all(owners.flatMap((owner) => [COW, USDC, WETH].map((token) => market.balanceOf(token, owner))))
    const before = await read()
    const { receipt } = await settle(best)
    const after = await read()
    return { receipt, changes: after.map((balance, i) => balance - (before[i] ?? 0n)) }
  }

  test('of both signing schemes meet, and pools receive nothing but the fee that is sold', async () => {
    const { COW, USDC } = market.tokens
    const selling = await market.signOrder({
      sellToken: COW,
      buyToken: USDC,
      sellAmount: parseEther('10000'),
      buyAmount: 2_000_000_000n,
    })
    const opposite = await market.signOrder({
      owner: market.otherTrader,
      signingScheme: 'ethsign',
      sellToken: USDC,
      buyToken: COW,
      sellAmount: 3_000_000_000n,
      buyAmount: parseEther('9000'),
    })
    const gasPrice = await findGasPrice()
    const solutions = await solve('1', [selling, opposite], 'direct')
    expect(solutions).toHaveLength(1)
    const [sale, ...others] = solutions[0]?.batches[0]?.route.hops ?? []
    expect(others).toEqual([])
    const { changes, receipt } = await moved(solutions[0])
    // COW has pools of both kinds: the deeper one costs less gas as well
    const saleGas = hopGas
    const fees = [
      computeSettlementFee(computeGas(saleGas, false), gasPrice, prices.COW),
      computeSettlementFee(computeGas(0n, false), gasPrice, prices.USDC),
    ]
    const [cowFee = 0n, usdcFee = 0n] = fees
    const got = parseEther('10000') - cowFee
    expect(changes).toEqual([
      -parseEther('10000'),
      3_000_000_000n - usdcFee,
      0n,
      got,
      -3_000_000_000n,
      0n,
      0n,
      usdcFee,
      sale?.amountOut,
    ])
    expect(sale?.amountIn).toBe(cowFee)
    expect(parseEventLogs({ abi: settlementAbi, eventName: 'Trade', logs: receipt.logs })).toHaveLength(2)
  })

  test('meet in part at the price of the auction, when one may be filled in part', async () => {
    const { COW, USDC } = market.tokens
    const selling = await market.signOrder({
      sellToken: COW,
      buyToken: USDC,
      sellAmount: parseEther('1000'),
      buyAmount: 200_000_000n,
    })
    const opposite = await market.signOrder({
      owner: market.otherTrader,
      sellToken: USDC,
      buyToken: COW,
      sellAmount: 900_000_000n,
      buyAmount: parseEther('2000'),
      partiallyFillable: true,
    })
    const [best] = await solve('1', [selling, opposite], 'direct')
    expect(best?.batches[0]?.route).toMatchObject({
      amountIn: 0n,
      hops: [{ tokenIn: COW, tokenOut: market.tokens.WETH }],
    })
    const { changes } = await moved(best)
    // 10,000 COW are 3,000 dollars, and each pays its own gas
    const [sold, received = 0n, , bought, paid = 0n] = changes
    expect(sold).toBe(-parseEther('1000'))
    expect(received).toBeGreaterThan(299_000_000n)
    expect(received).toBeLessThan(300_000_000n)
    expect(-paid).toBeGreaterThan(received)
    expect(-paid).toBeLessThan(301_000_000n)
    expect(bought).toBeGreaterThan(parseEther('995'))
  })

  test('sell what the other does not take to the pool, and both get more than alone', async () => {
    const { WETH, USDC } = market.tokens
    const selling = await market.signOrder({ sellAmount: parseEther('10'), buyAmount: 25_000_000_000n })
    const opposite = await market.signOrder({
      owner: market.otherTrader,
      kind: 'buy',
      sellToken: USDC,
      buyToken: WETH,
      sellAmount: 14_000_000_000n,
      buyAmount: parseEther('4'),
    })
    const solutions = await solve('1', [selling, opposite])
    const match = solutions.find(({ batches }) => batches[0]?.fills.length === 2)
    const [route] = match?.batches.map((batch) => batch.route) ?? []
    expect(route?.amountIn).toBeGreaterThan(parseEther('5.9'))
    expect(route?.amountIn).toBeLessThan(parseEther('6.1'))
    const findFills = (uid: string) =>
      solutions.flatMap(({ batches }) => batches.flatMap(({ fills }) => fills.filter(({ order }) => order.uid === uid)))
    for (const { uid } of [selling, opposite]) {
      const [alone, matched] = findFills(uid)
      expect(matched?.score).toBeGreaterThan(alone?.score ?? 0n)
    }
    const { changes } = await moved(match)
    const [matchedSell] = findFills(selling.uid).slice(-1)
    const [matchedBuy] = findFills(opposite.uid).slice(-1)
    expect(changes.slice(1, 6)).toEqual([
      matchedSell?.executedBuy,
      -parseEther('10'),
      0n,
      -(matchedBuy?.executedSell ?? 0n),
      parseEther('4'),
    ])
    expect(changes[7]).toBeGreaterThan(0n)
    expect(changes[8]).toBeGreaterThan(0n)
  })

  test('meet over the native token: one is paid in it, the other sells it wrapped', async () => {
    const { WETH, USDC } = market.tokens
    const receiver: Address = '0x00000000000000000000000000000000000e7422'
    const selling = await market.signOrder({
      sellToken: USDC,
      buyToken: nativeSentinel,
      sellAmount: 6_000_000_000n,
      buyAmount: parseEther('1.9'),
      receiver,
    })
    const opposite = await market.signOrder({
      owner: market.otherTrader,
      sellToken: WETH,
      buyToken: USDC,
      sellAmount: parseEther('2'),
      buyAmount: 5_900_000_000n,
    })
    const solutions = await solve('1', [selling, opposite])
    const match = solutions.find(({ batches }) => batches[0]?.fills.length === 2)
    const { changes } = await moved(match)
    const paid = match?.batches[0]?.fills.find(({ order }) => order.uid === selling.uid)?.executedBuy
    expect(await market.balanceOf(nativeSentinel, receiver)).toBe(paid)
    expect(await market.balanceOf(nativeSentinel, market.network.settlementContract)).toBe(0n)
    expect(changes[5]).toBe(-parseEther('2'))
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

  test('is proposed alone after its settlement has failed, in no batch, match or joint solution', async () => {
    const { WETH, USDC, COW } = market.tokens
    const failed = { ...(await market.signOrder({ sellAmount: 10n ** 17n })), settleAlone: true }
    const beside = await market.signOrder({ sellAmount: 2n * 10n ** 17n })
    const opposite = await market.signOrder({ sellToken: USDC, buyToken: WETH, sellAmount: 500n * 10n ** 6n })
    const elsewhere = await market.signOrder({ buyToken: COW, sellAmount: 10n ** 17n })
    const proposed = (await solve('1', [failed, beside, opposite, elsewhere])).map(({ batches }) =>
      batches.flatMap(({ fills }) => fills.map(({ order }) => order.uid)),
    )
    expect(proposed.filter((uids) => uids.includes(failed.uid))).toEqual([[failed.uid]])
    expect(new Set(proposed.flat()).size).toBeGreaterThan(1)
  })

  test.each(['invalid opcode', 'infinite loop'] as const)(
    'does not keep others from being proposed when its simulation ends in "%s"',
    async (name) => {
      const { COW, WETH } = market.tokens
      const good = await market.signOrder({ sellAmount: 10n ** 17n })
      const bad = await market.signOrder({ sellToken: COW, buyToken: WETH, sellAmount: parseEther('5000') })
      const hostile: Address = '0x1271000000000000000000000000000000000003'
      await market.chain.setCode({ address: hostile, bytecode: hostileCode[name] })
      const client = market.connect()
      let redirected = 0
      const redirect = (args: CallParameters): CallParameters => {
        if (!args.data?.includes(bad.signature.slice(2))) return args
        redirected += 1
        return { ...args, to: hostile }
      }
      const call: typeof client.call = (args) => client.call(redirect(args))
      const solutions = await solveAuction(market, '1', [good, bad], {}, { ...client, call })
      const filled = solutions.flatMap(({ batches }) =>
        batches.flatMap(({ fills }) => fills.map(({ order }) => order.uid)),
      )
      expect(new Set(filled)).toEqual(new Set([good.uid]))
      expect(redirected).toBeGreaterThan(0)
    },
  )

  test('takes no place of an honest one for long, however much it promises', async () => {
    const honest = { ...(await market.signOrder({ sellAmount: 10n ** 17n })), settleAlone: true }
    const signature: Hex = `0x${'11'.repeat(64)}1b`
    const reverting = await Promise.all(
      Array.from({ length: 50 }, async () => ({ ...(await market.signOrder({ settleAlone: true })), signature })),
    )
    const turns = createTurns()
    const propose = async () =>
      (await solveAuction(market, '1', [...reverting, honest], { turns })).map(({ batches }) =>
        batches.flatMap(({ fills }) => fills.map(({ order }) => order.uid)),
      )
    expect(await propose()).toEqual([])
    expect(await propose()).toEqual([[honest.uid]])
  })

  test('dust with generous limits takes no place of an order that can pay for its gas', async () => {
    const honest = await market.signOrder({ sellAmount: 10n ** 18n, buyAmount: 2_000n * 10n ** 6n })
    const dust = await Promise.all(Array.from({ length: 200 }, () => market.signOrder({ sellAmount: 10n ** 12n })))
    const filled = (await solve('1', [...dust, honest])).flatMap(({ batches }) =>
      batches.flatMap(({ fills }) => fills.map(({ order }) => order.uid)),
    )
    expect(filled).toEqual([honest.uid])
  })

  test('is not proposed when its signature, time, balance source or price does not allow it', async () => {
    const orders = await Promise.all([
      market.signOrder({ validTo: 1 }),
      market.signOrder({ validTo: 0xffffffff, userValidTo: 1 }),
      market.signOrder({ sellTokenBalance: 'internal' }),
      market.signOrder({ buyAmount: 10n ** 12n }),
      market.signOrder({ sellToken: nativeSentinel }),
    ])
    const broken = { ...(await market.signOrder({})), signature: '0x1234' as const }
    const forged = { ...(await market.signOrder({})), buyAmount: 2n }
    expect(await solve('1', [...orders, broken, forged])).toEqual([])
  })
})

describe('an order with hooks', () => {
  const hook = { target: nativeSentinel, callData: '0x', gasLimit: 100_000n } as const
  const call = () => {
    const [interaction] = buildHookInteractions(market.network.hooksTrampoline, [hook])
    if (!interaction) throw new Error('no call')
    return { ...interaction, value: 0n }
  }

  test('pays for the gas that they reserve, in the settlement that runs them', async () => {
    const terms = { sellAmount: 10n ** 17n }
    const [plain] = await solve('1', [await market.signOrder(terms)])
    const hooked = await market.signOrder({ ...terms, preInteractions: [call()], postInteractions: [call()] })
    const [solution] = await solve('1', [hooked])
    const [plainFee = 0n, fee = 0n] = [plain, solution].map(
      (found) => terms.sellAmount - (found?.batches[0]?.route.amountIn ?? 0n),
    )
    const gas = computeHookGas({ pre: [hook], post: [hook] })
    const expected = computeSettlementFee(gas, await findGasPrice(), prices.WETH)
    // each fee is rounded up
    expect([expected - 1n, expected]).toContain(fee - plainFee)
    expect(decodeInteractions(solution)).toEqual([[hook], [hook]])
  })

  test('fills as far as its owner can pay after them', async () => {
    const token = await deployPermitToken(market.chain)
    const owner = devAccounts[5]
    await token.mint(owner.address, 300n)
    const permit = async (value: bigint) =>
      buildHookInteractions(market.network.hooksTrampoline, [await token.signPermit(owner, value)]).map((of) => ({
        ...of,
        value: 0n,
      }))
    const order = async (value: bigint, partiallyFillable = true) =>
      market.signOrder({
        owner: owner.address,
        sellToken: token.address,
        sellAmount: 500n,
        partiallyFillable,
        preInteractions: await permit(value),
      })
    const find = (orders: AuctionOrder[], rpcUrl = market.rpcUrl) =>
      findHookedFunds(simulateCalls(rpcUrl), market.network, orders)
    const key = toOwnerTokenKey(owner.address, token.address)
    expect(await find([await order(200n)])).toEqual(new Map([[key, 200n]]))
    expect(await find([await order(200n), await order(400n)])).toEqual(new Map([[key, 300n]]))
    expect(await find([await order(200n, false), await market.signOrder({ partiallyFillable: true })])).toEqual(
      new Map(),
    )
    expect(await find([await order(200n)], 'http://127.0.0.1:9')).toEqual(new Map())
  })
})

describe('an order that sells ether', () => {
  test('is sized and settled by what its contract has after wrapping', async () => {
    const { ethFlow } = market.network
    const { WETH: sellToken, USDC: buyToken } = market.tokens
    const placed = buildEthFlowOrder({
      buyToken,
      receiver: market.otherTrader,
      sellAmount: 10n ** 17n,
      partiallyFillable: true,
    })
    await createEthFlowOrder(market.chain, market.otherTrader, placed)
    const callData = encodeFunctionData({ abi: ethFlowAbi, functionName: 'wrapAll' })
    const order: AuctionOrder = {
      ...auctionOrder,
      uid: uidOfEthFlow(placed),
      owner: ethFlow,
      receiver: market.otherTrader,
      sellToken,
      buyToken,
      sellAmount: placed.sellAmount,
      partiallyFillable: true,
      preInteractions: [{ target: ethFlow, value: 0n, callData }],
      signingScheme: 'eip1271',
      signature: '0x',
    }
    expect(await findHookedFunds(simulateCalls(market.rpcUrl), market.network, [order])).toEqual(
      new Map([[toOwnerTokenKey(ethFlow, sellToken), placed.sellAmount]]),
    )
    const [solution] = await solve('1', [order])
    const before = await market.balanceOf(buyToken, market.otherTrader)
    await settle(solution)
    const [fill] = solution?.batches[0]?.fills ?? []
    expect(fill?.executedSell).toBe(placed.sellAmount)
    expect((await market.balanceOf(buyToken, market.otherTrader)) - before).toBe(fill?.executedBuy)
  })
})

const decodeInteractions = (solution: EncodedSolution | undefined) => {
  if (!solution) throw new Error('nothing to settle')
  const { functionName, args } = decodeFunctionData({ abi: settlementAbi, data: solution.calldata })
  if (functionName !== 'settle') throw new Error(functionName)
  const [before, , after] = args[3]
  return [readHooks(before), readHooks(after)]
}

describe('a simulation has the terms of the transaction', () => {
  test.each([
    ['accepts calls without a gas price only', '0x3a156008575f5ffd5b00'],
    ['accepts calls without a base fee only', '0x48156008575f5ffd5b00'],
    ['accepts another sender only', '0x73000000000000000000000000000000000000dead3214601d575f5ffd5b00'],
    ['ends in an invalid opcode', '0xfe'],
    ['jumps nowhere', '0x600056'],
  ] as const)('a contract that %s excludes its own order alone', async (_, bytecode) => {
    const target: Address = '0x00000000000000000000000000000000000c0de2'
    await market.chain.setCode({ address: target, bytecode })
    const interaction = { target, value: 0n, callData: '0x' } as const
    const { COW, DAI } = market.tokens
    const hostile = await market.signOrder({ preInteractions: [interaction] })
    const honest = await market.signOrder({ sellToken: COW, buyToken: DAI, sellAmount: parseEther('10') })
    const solutions = await solve('1', [hostile, honest])
    const uids = solutions.map(({ batches }) => batches.flatMap(({ fills }) => fills.map(({ order }) => order.uid)))
    expect(uids).toEqual([[honest.uid]])
  })

  test('a solver that cannot pay for a settlement proposes nothing', async () => {
    const { address } = market.solver
    const value = await market.chain.getBalance({ address })
    await market.chain.setBalance({ address, value: 10n ** 13n })
    try {
      expect(await solve('1', [await market.signOrder()])).toEqual([])
    } finally {
      await market.chain.setBalance({ address, value })
    }
  })
})
