import type { Hex } from 'viem'
import { toFilledKey } from '../chain/contracts/settlementCode.ts'
import { isAuthorised, wasRemoved } from '../chain/contracts/strategies/composableCowCode.ts'
import { decodeTwapInput } from '../chain/contracts/strategies/twapCode.ts'
import type { Block } from '../chain/createChain.ts'
import { findPart } from '../oracle/findPart.ts'
import type { Strategy, World } from '../world.ts'
import { Violation } from './violation.ts'

/** blocks within which the parts of a removed conditional order are cancelled: the next indexed block logs it */
const removalBlocks = 2

type Part = { uid: Hex; hash: Hex; placedBlock: number; validTo: number; isCancelled: boolean }

/**
 * Parts of conditional orders. In calm weather a part is an order when the block ends in which it becomes valid, and its
 * removal cancels it. In any weather each is what the registry returned in the block of its placement, so that none is
 * early or follows a removal, and a period has one part.
 * @returns a check for each block
 */
export const createPartCheck = (world: World) => {
  const { chain, database, orders, strategies, weather } = world
  const known = new Set<Hex>()

  const isReplaced = (number: number): boolean =>
    weather.replaced.some(({ from, to }) => number >= from && number <= to)
  const checkPlaced = ({ uid, placedBlock }: Part, strategy: Strategy): void => {
    const block = chain.blocks[placedBlock]
    if (!block || isReplaced(placedBlock)) return
    const expected = findPart(world, strategy, block)?.uid
    if (expected !== uid)
      throw new Violation('parts', `placed at ${placedBlock}, where the registry returned ${expected ?? 'none'}`, uid)
  }
  const checkComplete = (parts: readonly Part[], strategy: Strategy, block: Block): void => {
    const valid = findPart(world, strategy, block)
    if (valid && !parts.some(({ uid }) => uid === valid.uid))
      throw new Violation('parts', `valid from second ${valid.from} on, not placed at block ${block.number}`, valid.uid)
  }
  const checkRemoved = (parts: readonly Part[], strategy: Strategy, block: Block): void => {
    const since = chain.blocks[block.number - removalBlocks]
    if (!since || !chain.readAt(since, () => wasRemoved(chain, strategy)) || isAuthorised(chain, strategy)) return
    const open = parts.find(
      ({ uid, validTo, isCancelled }) =>
        !isCancelled && validTo > block.timestamp && chain.store.get(toFilledKey(uid)) === 0n,
    )
    if (open) throw new Violation('parts', `open ${removalBlocks} blocks after the removal of its order`, open.uid)
  }

  /** @param cursor newest indexed block */
  return async (block: Block, cursor: number | undefined): Promise<void> => {
    if (strategies.length === 0 || cursor === undefined) return
    const parts = await readParts(database)
    const isCalm = block.number > weather.disturbedAt && cursor === block.number
    for (const strategy of strategies) {
      const own = parts.filter(({ hash }) => hash === strategy.hash)
      const { t, t0 } = decodeTwapInput(strategy.params.staticInput)
      const periods = own.map(({ validTo }) => (BigInt(validTo) - t0) / t)
      if (new Set(periods).size < periods.length)
        throw new Violation('parts', `a period of ${strategy.hash} has two parts`)
      for (const part of own) if (!known.has(part.uid)) checkPlaced(part, strategy)
      for (const { uid } of own) known.add(uid)
      if (!isCalm) continue
      checkComplete(own, strategy, block)
      checkRemoved(own, strategy, block)
    }
    const lost = parts.find(({ uid, placedBlock }) => !orders.has(uid) && !isReplaced(placedBlock))
    if (lost) throw new Violation('parts', 'a part that the registry never returned', lost.uid)
  }
}

const readParts = async (database: World['database']): Promise<Part[]> => {
  const rows = await database.read(
    `select p.order_uid, p.hash, p.placed_block, o.valid_to, o.invalidated or o.cancelled_at is not null as cancelled
      from conditional_parts as p join orders as o on o.chain_id = p.chain_id and o.uid = p.order_uid`,
  )
  return rows.map((row) => ({
    ...{ uid: toHex(row.order_uid), hash: toHex(row.hash), placedBlock: Number(row.placed_block) },
    ...{ validTo: Number(row.valid_to), isCancelled: row.cancelled === 't' },
  }))
}

const toHex = (bytes: string | null | undefined): Hex => `0x${(bytes ?? '').replace(/^\\x/, '')}`
