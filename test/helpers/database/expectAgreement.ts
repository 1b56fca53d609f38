import { type Address, erc20Abi, type Hex, parseEventLogs } from 'viem'
import { expect } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Trader } from '#tools/demo/connectTrader.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'

export type Balances = { sell: bigint; buy: bigint }

/** The trader's balances of both tokens of an order. */
export const readBalances = async (trader: Trader, sellToken: Address, buyToken: Address): Promise<Balances> => ({
  sell: await trader.findBalance(sellToken),
  buy: await trader.findBalance(buyToken),
})

/**
 * Asserts that all accounts of a filled order agree to the atom: balances on the chain, the `Trade` event, the executed
 * amounts, `/trades` v1 and v2, the debug report, the solver competition and the rest in the settlement contract.
 */
export const expectAgreement = async (
  stack: StackInfo,
  trader: Trader,
  uid: string,
  before: Balances,
  after: Balances,
): Promise<void> => {
  const base = `${stack.baseUrl}/${stack.network}`
  const get = async (path: string) => {
    const response = await fetch(base + path)
    expect(response.status, path).toBe(200)
    return (await response.json()) as never
  }
  const order: Record<string, string> = await get(`/api/v1/orders/${uid}`)
  const sold = before.sell - after.sell
  const got = after.buy - before.buy

  expect(order.status).toBe('fulfilled')
  expect(BigInt(order.executedSellAmount ?? -1)).toBe(sold)
  expect(BigInt(order.executedSellAmountBeforeFees ?? -1)).toBe(sold)
  expect(BigInt(order.executedBuyAmount ?? -1)).toBe(got)
  if (order.kind === 'sell') {
    expect(sold).toBe(BigInt(order.sellAmount ?? -1))
    expect(got).toBeGreaterThanOrEqual(BigInt(order.buyAmount ?? -1))
  } else {
    expect(got).toBe(BigInt(order.buyAmount ?? -1))
    expect(sold).toBeLessThanOrEqual(BigInt(order.sellAmount ?? -1))
  }

  const [tradeV1]: Record<string, string>[] = await get(`/api/v1/trades?orderUid=${uid}`)
  const tradesV2: Record<string, string>[] = await get(`/api/v2/trades?orderUid=${uid}`)
  expect(tradesV2).toHaveLength(1)
  expect(tradeV1).toEqual(tradesV2[0])
  expect(tradeV1).toMatchObject({ orderUid: uid, owner: order.owner })
  expect(BigInt(tradeV1?.sellAmount ?? -1)).toBe(sold)
  expect(BigInt(tradeV1?.buyAmount ?? -1)).toBe(got)

  const transactionHash = tradeV1?.txHash as Hex
  const receipt = await trader.chain.getTransactionReceipt({ hash: transactionHash })
  const logs = parseEventLogs({ abi: settlementAbi, logs: receipt.logs, eventName: 'Trade' })
  const log = logs.find(({ args }) => args.orderUid === uid)
  expect(log?.args.sellAmount).toBe(sold)
  expect(log?.args.buyAmount).toBe(got)
  expect(Number(receipt.blockNumber)).toBe(tradeV1?.blockNumber)

  const report: {
    order: unknown
    events: { label: string; reason?: string | null }[]
    trades: { txHash: string; auctionId: number; sellAmount: string; buyAmount: string }[]
    auctions: {
      id: number
      proposedSolutions: {
        isWinner: boolean
        ranking: number
        solver: string
        executedSell: string
        executedBuy: string
      }[]
      executions: { executedFee: string; executedFeeToken: string; blockNumber: number }[]
      settlementAttempts: { solver: string; outcome?: string }[]
    }[]
  } = await get(`/api/v1/debug/order/${uid}`)
  expect(report.order).toEqual(order)
  // on a busy machine the price of a new token may come after its first auction
  const priced = report.events.filter(({ reason }) => reason !== 'missing_native_price')
  expect(priced.map(({ label }) => label)).toEqual(['created', 'ready', 'executing', 'traded'])
  expect(report.trades).toHaveLength(1)
  expect(report.trades[0]).toMatchObject({ txHash: transactionHash, sellAmount: `${sold}`, buyAmount: `${got}` })

  const auction = report.auctions.find(({ id }) => id === report.trades[0]?.auctionId)
  const winner = auction?.proposedSolutions.find((solution) => solution.isWinner)
  expect(auction?.proposedSolutions.length).toBeGreaterThanOrEqual(2)
  expect(winner?.ranking).toBe(1)
  expectPromised(order.kind, { sell: sold, buy: got }, { sell: winner?.executedSell, buy: winner?.executedBuy })
  expect(auction?.settlementAttempts).toMatchObject([{ solver: winner?.solver, outcome: 'success' }])
  expect(auction?.executions).toHaveLength(1)
  expect(auction?.executions[0]).toMatchObject({
    executedFee: order.executedFee,
    executedFeeToken: order.sellToken,
    blockNumber: tradeV1?.blockNumber,
  })
  expect(BigInt(order.executedFee ?? -1)).toBeGreaterThan(0n)
  expect(await findKeptBySettlement(stack, trader, order.sellToken as Address, receipt.blockNumber)).toBe(
    BigInt(order.executedFee ?? -1),
  )

  type Competition = {
    auctionId: number
    transactionHashes: string[]
    solutions: { isWinner: boolean; solverAddress: string; txHash: string | null; orders: Record<string, string>[] }[]
  }
  const byId: Competition = await get(`/api/v2/solver_competition/${auction?.id}`)
  const byHash: Competition = await get(`/api/v2/solver_competition/by_tx_hash/${transactionHash}`)
  expect(byHash).toEqual(byId)
  expect(byId.transactionHashes).toEqual([transactionHash])
  const competitionWinner = byId.solutions.at(-1)
  expect(competitionWinner).toMatchObject({ isWinner: true, solverAddress: winner?.solver, txHash: transactionHash })
  const competed = competitionWinner?.orders.find(({ id }) => id === uid)
  expect([competed?.sellAmount, competed?.buyAmount]).toEqual([winner?.executedSell, winner?.executedBuy])
}

/** The exact amount is that of the solution; the other is at most a thousandth better, the tolerance of the solvers. */
const expectPromised = (
  kind: string | undefined,
  executed: Balances,
  promised: { sell: string | undefined; buy: string | undefined },
): void => {
  const [sell, buy] = [BigInt(promised.sell ?? -1), BigInt(promised.buy ?? -1)]
  if (kind === 'sell') {
    expect(sell).toBe(executed.sell)
    expect(executed.buy).toBeGreaterThanOrEqual(buy)
    expect(executed.buy - buy).toBeLessThanOrEqual(executed.buy / 1_000n)
  } else {
    expect(buy).toBe(executed.buy)
    expect(executed.sell).toBeLessThanOrEqual(sell)
    expect(sell - executed.sell).toBeLessThanOrEqual(sell / 1_000n)
  }
}

/** Atoms of a token gained by the settlement contract in one block. */
const findKeptBySettlement = async (
  stack: StackInfo,
  trader: Trader,
  token: Address,
  blockNumber: bigint,
): Promise<bigint> => {
  const balanceAt = (block: bigint) =>
    trader.chain.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [stack.contracts.settlement],
      blockNumber: block,
    })
  return (await balanceAt(blockNumber)) - (await balanceAt(blockNumber - 1n))
}
