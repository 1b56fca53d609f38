import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { maxUint256, parseEventLogs } from 'viem'
import { expect } from 'vitest'
import { connectDatabase, type Database } from '#schema/client.ts'
import { selectBlocks } from '#schema/queries/chain/blocks.ts'
import { invalidations } from '#schema/tables/chain/invalidations.ts'
import { presignatures } from '#schema/tables/chain/presignatures.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { executions } from '#schema/tables/settlements/executions.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { patienceMs } from '../patienceMs.ts'

/**
 * Asserts that database and chain agree at one block: hashes, every event of the settlement contract, executed amounts,
 * successful attempts, order logs. Waits until the chain is indexed.
 */
export const expectDatabaseAgreesWithChain = async (stack: Stack): Promise<void> => {
  const database = connectDatabase(stack.info.databaseUrl)
  const deadline = Date.now() + patienceMs
  for (;;) {
    const head = await findIndexedHead(stack, database, deadline)
    const rows = await selectRows(database, stack.info.chainId)
    const after = (await selectBlocks(database, stack.info.chainId)).at(-1)
    // a block mined during the read would be incomplete
    if (after?.hash === head.hash) return compare(stack, rows, head.number)
  }
}

/** The newest indexed block, once it equals the chain's. */
const findIndexedHead = async ({ chain, info }: Stack, database: Database, deadline: number) => {
  for (;;) {
    const head = (await selectBlocks(database, info.chainId)).at(-1)
    const latest = await chain.getBlock()
    if (head && head.hash === latest.hash) return head
    if (Date.now() > deadline) throw new Error(`the index is at block ${head?.number}, the chain at ${latest.number}`)
    await sleep(50)
  }
}

const selectRows = async (database: Database, chainId: number) => ({
  blocks: await selectBlocks(database, chainId),
  orders: await database.select().from(orders).where(eq(orders.chainId, chainId)),
  trades: await database.select().from(trades).where(eq(trades.chainId, chainId)),
  settlements: await database.select().from(settlements).where(eq(settlements.chainId, chainId)),
  invalidations: await database.select().from(invalidations).where(eq(invalidations.chainId, chainId)),
  presignatures: await database.select().from(presignatures).where(eq(presignatures.chainId, chainId)),
  executions: await database.select().from(executions).where(eq(executions.chainId, chainId)),
  attempts: await database.select().from(settlementAttempts).where(eq(settlementAttempts.chainId, chainId)),
  traded: await database
    .select()
    .from(orderEvents)
    .where(and(eq(orderEvents.chainId, chainId), eq(orderEvents.label, 'traded'))),
})

type Rows = Awaited<ReturnType<typeof selectRows>>

const compare = async (stack: Stack, rows: Rows, head: number): Promise<void> => {
  await compareBlocks(stack, rows)
  await compareEvents(stack, rows, head)
  await compareOrders(stack, rows, head)
  compareAttempts(rows, head)
}

const compareBlocks = async ({ chain }: Stack, rows: Rows): Promise<void> => {
  const hashes = await Promise.all(
    rows.blocks.map(async ({ number }) => (await chain.getBlock({ blockNumber: BigInt(number) })).hash),
  )
  expect(rows.blocks.map(({ hash }) => hash)).toEqual(hashes)
}

const placeOf = ({ blockNumber, logIndex }: { blockNumber: number | bigint; logIndex: number }) =>
  `${blockNumber}:${logIndex}`

const compareEvents = async ({ chain, info }: Stack, rows: Rows, head: number): Promise<void> => {
  const raw = await chain.getLogs({ address: info.contracts.settlement, fromBlock: 0n, toBlock: BigInt(head) })
  const logs = parseEventLogs({ abi: settlementAbi, logs: raw })
  const onChain = (name: string) => logs.filter(({ eventName }) => eventName === name)
  const sorted = <T>(items: T[]) => items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const text = (...values: unknown[]) => values.map(String).join(' ')
  expect(
    sorted(
      rows.trades.map((row) => text(placeOf(row), row.transactionHash, row.orderUid, row.sellAmount, row.buyAmount)),
    ),
  ).toEqual(
    sorted(
      onChain('Trade').map((log) => {
        const { orderUid, sellAmount, buyAmount } = log.args as {
          orderUid: string
          sellAmount: bigint
          buyAmount: bigint
        }
        return text(placeOf(log), log.transactionHash, orderUid, sellAmount, buyAmount)
      }),
    ),
  )
  const pairs = [
    [rows.settlements, 'Settlement'],
    [rows.invalidations, 'OrderInvalidated'],
    [rows.presignatures, 'PreSignature'],
  ] as const
  for (const [stored, name] of pairs) {
    expect(sorted(stored.map(placeOf)), name).toEqual(sorted(onChain(name).map(placeOf)))
  }
  expect(sorted(rows.traded.map(({ orderUid, blockNumber }) => text(orderUid, blockNumber)))).toEqual(
    sorted(
      rows.trades
        .filter(({ orderUid }) => rows.orders.some(({ uid }) => uid === orderUid))
        .map(({ orderUid, blockNumber }) => text(orderUid, blockNumber)),
    ),
  )
}

/** The settlement contract's own filled amounts decide. */
const compareOrders = async ({ chain, info }: Stack, rows: Rows, head: number): Promise<void> => {
  for (const order of rows.orders) {
    const filled = await chain.readContract({
      address: info.contracts.settlement,
      abi: settlementAbi,
      functionName: 'filledAmount',
      args: [order.uid],
      blockNumber: BigInt(head),
    })
    const [exact, limit] =
      order.kind === 'sell'
        ? [order.executedSellAmount - order.executedFeeAmount, order.sellAmount]
        : [order.executedBuyAmount, order.buyAmount]
    expect(order.invalidated, order.uid).toBe(filled === maxUint256)
    if (!order.invalidated) expect(exact, order.uid).toBe(filled)
    expect(exact <= limit, `${order.uid} filled beyond its amount`).toBe(true)
    const ofOrder = rows.executions.filter(({ orderUid }) => orderUid === order.uid)
    expect(order.executedFee, order.uid).toBe(ofOrder.reduce((sum, { executedFee }) => sum + executedFee, 0n))
  }
}

const compareAttempts = (
  { attempts, settlements: settled, executions: charged, trades: traded }: Rows,
  head: number,
): void => {
  const keyOf = ({ auctionId, solutionUid }: { auctionId: number | null; solutionUid: number | null }) =>
    `${auctionId}:${solutionUid}`
  const attributed = settled.filter(({ auctionId }) => auctionId !== null)
  const attemptOf = new Map(attempts.map((attempt) => [keyOf(attempt), attempt]))
  const settledKeys = new Set(attributed.map(keyOf))
  const concluded = attempts.filter(
    (attempt) => settledKeys.has(keyOf(attempt)) || attempt.outcome === 'success' || attempt.outcome === 'mismatch',
  )
  const toOutcome = (row: (typeof attributed)[number]): string => {
    if (row.mismatch) return 'mismatch'
    // mined late, for example because the node was away
    const { deadlineBlock } = attemptOf.get(keyOf(row)) ?? {}
    return deadlineBlock !== undefined && row.blockNumber > deadlineBlock ? 'timeout' : 'success'
  }
  expect(concluded.map((attempt) => `${keyOf(attempt)} ${attempt.outcome}`).toSorted()).toEqual(
    attributed.map((row) => `${keyOf(row)} ${toOutcome(row)}`).toSorted(),
  )
  const stuck = attempts.filter(({ outcome, deadlineBlock }) => outcome === null && deadlineBlock <= head)
  expect(stuck).toEqual([])
  const auctionOf = new Map(attributed.map((settlement) => [placeOf(settlement), settlement.auctionId]))
  const expected = traded.flatMap(({ orderUid, blockNumber, settlementLogIndex }) => {
    const auctionId = auctionOf.get(placeOf({ blockNumber, logIndex: settlementLogIndex }))
    return auctionId === undefined ? [] : [`${auctionId} ${orderUid} ${blockNumber}`]
  })
  expect(charged.map((row) => `${row.auctionId} ${row.orderUid} ${row.blockNumber}`).toSorted()).toEqual(
    expected.toSorted(),
  )
}
