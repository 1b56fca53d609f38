import type { Hex } from 'viem'
import { isEndedByUser } from '../chain/contracts/ethFlowCode.ts'
import { toFilledKey } from '../chain/contracts/settlementCode.ts'
import { wasRemoved } from '../chain/contracts/strategies/composableCowCode.ts'
import { listChainEvents } from '../oracle/listChainEvents.ts'
import type { World } from '../world.ts'
import { expectEqual, Violation } from './violation.ts'

/** blocks compared after each block: more than any reorganisation of a run */
const window = 70

const toLines = (rows: (string | number | bigint | null | boolean)[][]): string =>
  rows
    .map((row) => row.map(String).join(' '))
    .toSorted()
    .join('\n')

const unprefix = (bytes: string | null | undefined): Hex => `0x${(bytes ?? '').replace(/^\\x/, '')}`

/**
 * The index holds exactly the events of the chain up to its cursor, and orders the sums of their trades. A cursor on a
 * replaced block is the past of a reorganisation; `checkProgress` bounds how long.
 * @returns the number of the cursor's block
 */
export const checkIndex = async ({ chain, database, orders }: World): Promise<number | undefined> => {
  const [cursor] = await database.read('select number, hash from blocks order by number desc limit 1')
  const number = Number(cursor?.number ?? -1)
  const block = chain.blocks[number]
  if (!block || block.hash !== unprefix(cursor?.hash)) return undefined
  const from = Math.max(0, number - window)
  const events = listChainEvents(chain.blocks.slice(from, number + 1))
  const since = [String(from)]
  const trades = await database.read(
    'select block_number, log_index, order_uid, owner, sell_amount, buy_amount, fee_amount from trades where block_number >= $1',
    since,
  )
  expectEqual(
    'trades',
    `trades of the blocks ${from} to ${number}`,
    toLines(
      trades.map((row) => [
        ...[row.block_number ?? '', row.log_index ?? '', unprefix(row.order_uid), unprefix(row.owner)],
        ...[row.sell_amount ?? '', row.buy_amount ?? '', row.fee_amount ?? ''],
      ]),
    ),
    toLines(
      events.flatMap((event) => {
        if (event.name !== 'Trade') return []
        const { orderUid, owner, sellAmount, buyAmount, feeAmount } = event.args
        return [[event.block, event.logIndex, orderUid, owner.toLowerCase(), sellAmount, buyAmount, feeAmount]]
      }),
    ),
  )
  for (const [table, ...names] of [
    ['settlements', 'Settlement'],
    ['invalidations', 'OrderInvalidated', 'OrderInvalidation'],
    ['presignatures', 'PreSignature'],
    ['order_placements', 'OrderPlacement'],
    ['order_refunds', 'OrderRefund'],
    ['conditional_orders', 'ConditionalOrderCreated'],
  ] as const) {
    // the removal of a conditional order invalidates its parts without a log
    const rows = await database.read(
      `select block_number, log_index from ${table} where block_number >= $1 and log_index >= 0`,
      since,
    )
    expectEqual(
      table,
      `${table} of the blocks ${from} to ${number}`,
      toLines(rows.map((row) => [row.block_number ?? '', row.log_index ?? ''])),
      toLines(
        events.flatMap((event) => (names.some((name) => name === event.name) ? [[event.block, event.logIndex]] : [])),
      ),
    )
  }
  await checkExecuted({ chain, database, orders }, number)
  return number
}

const maxUint256 = 2n ** 256n - 1n

/** Executed amounts of an order are what the contract filled. */
const checkExecuted = async (
  { chain, database, orders }: Pick<World, 'chain' | 'database' | 'orders'>,
  number: number,
): Promise<void> => {
  const block = chain.blocks[number]
  if (!block) return
  const rows = await database.read(
    `select uid, kind, sell_amount, buy_amount, executed_sell_amount, executed_buy_amount, executed_fee_amount, invalidated
      from orders where valid_to > $1`,
    [String(block.timestamp - 600)],
  )
  chain.readAt(block, () => {
    for (const row of rows) {
      const uid = unprefix(row.uid)
      const filled = chain.store.get(toFilledKey(uid))
      const isEnded = filled === maxUint256 || isEndedByUser(chain, uid)
      // `parts` says when
      if (row.invalidated === 't' && !isEnded && isOfRemoved({ chain, orders }, uid)) continue
      expectEqual('invalidated', 'the mark of an invalidation', row.invalidated === 't', isEnded, uid)
      if (filled === maxUint256) continue
      const isSell = row.kind === 'sell'
      const executed = isSell
        ? BigInt(row.executed_sell_amount ?? 0) - BigInt(row.executed_fee_amount ?? 0)
        : BigInt(row.executed_buy_amount ?? 0)
      expectEqual('executed', 'the executed amount', executed, filled, uid)
      const most = BigInt((isSell ? row.sell_amount : row.buy_amount) ?? 0)
      if (executed > most) throw new Violation('overfilled', `${executed} of ${most} executed`, uid)
    }
  })
}

/** Whether an order is a part of a conditional order that was removed. */
const isOfRemoved = ({ chain, orders }: Pick<World, 'chain' | 'orders'>, uid: Hex): boolean => {
  const { owner, conditional } = orders.get(uid) ?? {}
  return owner !== undefined && conditional !== undefined && wasRemoved(chain, { owner, hash: conditional })
}
