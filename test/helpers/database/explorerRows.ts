import { type Address, pad, toHex } from 'viem'
import type { Database } from '#schema/client.ts'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { solutions } from '#schema/tables/auctions/solutions.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { tradeValues } from '#schema/tables/settlements/tradeValues.ts'
import { networks } from '#shared/networks.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { newOrder, orderUidOf } from './newOrder.ts'

const { chainId } = networks.sepolia
export const explorerTokens = [1, 2, 3, 4].map((seed): Address => pad(toHex(seed), { size: 20 }))
export const explorerOwners = [11, 12, 13].map((seed): Address => pad(toHex(seed), { size: 20 }))
export const explorerSolvers = [21, 22].map((seed): Address => pad(toHex(seed), { size: 20 }))

const pick = <T>(random: () => number, list: readonly T[]): T => {
  const found = list[Math.floor(random() * list.length)]
  if (found === undefined) throw new Error('an empty list')
  return found
}

/** A token pair of two different tokens. */
const pickPair = (random: () => number) => {
  const sellToken = pick(random, explorerTokens)
  return {
    sellToken,
    buyToken: pick(
      random,
      explorerTokens.filter((token) => token !== sellToken),
    ),
  }
}

/** Orders in every status; several share a creation time. `at` is Unix seconds. */
export const insertExplorerOrders = async (database: Database, count: number, at: number) => {
  const random = createRandom(7)
  const rows = Array.from({ length: count }, (_, i) => {
    const { fullAppData: __, ...row } = newOrder(i + 1, {
      ...pickPair(random),
      owner: pick(random, explorerOwners),
      kind: pick(random, ['sell', 'buy'] as const),
      createdAt: new Date((at - Math.floor(i / 3) * 60) * 1_000),
      ...{ sellAmount: 100n, buyAmount: 100n },
      ...pick(random, [
        { executedSellAmount: 100n, executedBuyAmount: 100n },
        { cancelledAt: new Date(at * 1_000) },
        { invalidated: true },
        { executedSellAmount: 40n, executedBuyAmount: 40n, partiallyFillable: true },
        { executedSellAmount: 40n, executedBuyAmount: 40n, partiallyFillable: true, validTo: at - 1 },
        { validTo: at - 1 },
        { onchainUser: pick(random, explorerOwners), userValidTo: at + 9 },
        { signingScheme: 'presign' as const },
        { signingScheme: 'presign' as const, presigned: true },
        {},
      ]),
    })
    return row
  })
  await database.insert(orders).values(rows)
  return rows
}

/** Trades that are two minutes apart, the newest at `at`, Unix seconds; each in its own settlement. */
export const insertExplorerTrades = async (database: Database, count: number, at: number) => {
  const random = createRandom(8)
  const rows = Array.from({ length: count }, (_, i) => ({
    ...{ chainId, blockNumber: 1_000 - i, logIndex: i % 2, settledAt: new Date((at - i * 120) * 1_000) },
    trader: pick(random, explorerOwners),
    solver: pick(random, explorerSolvers),
    ...pickPair(random),
    sellAmount: BigInt(Math.floor(random() * 1e9)) * 10n ** 12n + 1n,
    buyAmount: BigInt(Math.floor(random() * 1e9)) * 10n ** 12n + 1n,
    volume: random() < 0.1 ? null : BigInt(Math.floor(random() * 1e9)) * 10n ** 12n,
    surplus: random() < 0.1 ? null : BigInt(Math.floor(random() * 1e9)),
  }))
  await database.insert(tradeValues).values(rows)
  const place = (i: number) => {
    const { blockNumber, logIndex } = rows[i] ?? { blockNumber: 0, logIndex: 0 }
    return { chainId, blockNumber, logIndex, transactionHash: pad(toHex(blockNumber), { size: 32 }) }
  }
  await database.insert(trades).values(
    rows.map(({ trader, sellToken, buyToken, sellAmount, buyAmount }, i) => ({
      ...{ ...place(i), sellToken, buyToken, sellAmount, buyAmount, feeAmount: 0n },
      ...{ orderUid: orderUidOf(i), owner: trader, settlementLogIndex: 9 },
    })),
  )
  await database.insert(settlements).values(
    rows.map(({ solver, settledAt }, i) => ({
      ...{ ...place(i), logIndex: 9, solver, settledAt, auctionId: i, solutionUid: 0 },
      ...{ gasUsed: 1n, effectiveGasPrice: 1n },
    })),
  )
  return rows
}

const outcomes = ['success', 'driver failed: reverted', 'timeout', 'mismatch', null]

/** An auction an hour, the newest one at `at`, Unix seconds, with a solution of each solver and one winner. */
export const insertExplorerAuctions = async (database: Database, count: number, at: number) => {
  const random = createRandom(9)
  const rows = Array.from({ length: count }, (_, i) => ({
    id: count - i,
    createdAt: new Date((at - i * 3_600) * 1_000),
    outcome: pick(random, outcomes),
    ranked: random() < 0.5 ? explorerSolvers : explorerSolvers.toReversed(),
  }))
  await database.insert(auctions).values(
    rows.map(({ id, createdAt }) => ({
      chainId,
      id,
      createdAt,
      block: id,
      deadlineBlock: id + 5,
      orderCount: 3,
      prices: {},
    })),
  )
  await database.insert(solutions).values(
    rows.flatMap(({ id, ranked }) =>
      ranked.map((solver, uid) => ({
        ...{ chainId, auctionId: id, uid, solutionId: uid, solver, isWinner: uid === 0 },
        ...{ filteredOut: false, score: BigInt(10 - uid), referenceScore: null },
      })),
    ),
  )
  await database.insert(settlementAttempts).values(
    rows.flatMap(({ id, createdAt, outcome, ranked: [winner] }) =>
      winner
        ? [
            {
              chainId,
              auctionId: id,
              solutionUid: 0,
              solver: winner,
              startedAt: createdAt,
              startBlock: id,
              deadlineBlock: id + 5,
              outcome,
            },
          ]
        : [],
    ),
  )
  return rows
}
