import type { Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import {
  type ConditionalKey,
  type DueOrder,
  type JudgedKey,
  selectBlockWork,
} from '#schema/queries/strategies/selectDue.ts'
import { endRemoved, type StoredVerdict, storeVerdicts } from '#schema/queries/strategies/storeVerdicts.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { noContract } from '#shared/networks/noContract.ts'
import type { Evaluation } from '#shared/strategies/evaluation.ts'
import { findReferences } from '../indexing/placements/findReferences.ts'
import type { Placement } from '../indexing/placements/readPlacement.ts'
import { createLimits } from './createLimits.ts'
import { evaluateOrders } from './evaluateOrders.ts'
import { findRemoved } from './findRemoved.ts'
import { placePart, readPart, toReferences } from './placePart.ts'
import { type PlacedPart, schedule } from './schedule.ts'
import type { StrategyDeps } from './strategyDeps.ts'

/** Conditional orders evaluated per block, as far as `evaluateOrders` has requests for them. */
const maxDue = 400
/** Conditional orders per block whose removal is looked up. */
const maxKeys = 400
/** Parts placed at the same time. */
const parallelPlacements = 4
/** Time limit of the node calls of one block. */
const timeoutMs = 4_000

/**
 * Conditional orders: what may be due is evaluated once per block, before the auction of the block is cut, so that a part
 * is in the book in the block in which it becomes tradeable. The state is in the database: a stopped clock resumes, and a
 * reorganisation makes due what was evaluated on replaced blocks. A part is one order however often it is found, because
 * its UID is unique; the registry itself refuses removed ones.
 */
export const createStrategies = (deps: StrategyDeps): Strategies => {
  const { network, database } = deps
  const { chainId } = network
  const findLimits = createLimits(deps)
  let lastHash: Hex | undefined
  /** newest key whose removal was looked up */
  let looked: ConditionalKey | undefined

  const endRemovedOrders = async (
    keys: readonly JudgedKey[],
    block: IndexedBlock,
    signal: AbortSignal,
  ): Promise<void> => {
    await endRemoved(database, chainId, block, await findRemoved(deps, keys, block.number, signal))
    looked = keys.length === maxKeys ? keys.at(-1) : undefined
  }

  return {
    advance: async (block) => {
      if (network.composableCow === noContract || block.hash === lastHash) return undefined
      const signal = AbortSignal.timeout(timeoutMs)
      const { due, keys } = await selectBlockWork(database, chainId, block, looked, { due: maxDue, keys: maxKeys })
      await endRemovedOrders(keys, block, signal)
      const evaluations = await evaluateOrders(deps, due, findLimits, block.number, signal)
      const parts = await placeParts(deps, due, evaluations, block)
      const verdicts = due.flatMap((order, i): StoredVerdict[] => {
        const evaluation = evaluations[i]
        return evaluation ? [schedule(order, evaluation, parts.get(i), block)] : []
      })
      await storeVerdicts(database, chainId, block, verdicts)
      lastHash = block.hash
      const placed = [...parts.values()].filter((part) => 'uid' in part && part.isNew).length
      return due.length === 0 ? undefined : { block: block.number, due: due.length, judged: verdicts.length, placed }
    },
  }
}

export type Strategies = {
  /**
   * Evaluates the conditional orders that are due at the newest indexed block.
   * @returns counts for the log; undefined when none was due
   * @throws Error when the node or the database fails; the next call resumes
   */
  advance: (block: IndexedBlock) => Promise<{ block: number; due: number; judged: number; placed: number } | undefined>
}

/** @returns by the place in `due` */
const placeParts = async (
  deps: StrategyDeps,
  due: readonly DueOrder[],
  evaluations: readonly (Evaluation | undefined)[],
  block: IndexedBlock,
): Promise<Map<number, PlacedPart>> => {
  const parts = new Map<number, PlacedPart>()
  const placements: [number, DueOrder, Placement][] = []
  for (const [i, order] of due.entries()) {
    const evaluation = evaluations[i]
    if (evaluation?.reason !== 'partPlaced') continue
    const part = readPart(deps, order.owner, evaluation, block)
    if (typeof part === 'string') parts.set(i, { refusal: part })
    else placements.push([i, order, part])
  }
  if (placements.length === 0) return parts
  const { documents } = await findReferences(
    deps,
    placements.map(([, , placement]) => placement),
  )
  const references = toReferences(documents, block)
  await mapBounded(placements, parallelPlacements, async ([i, order, placement]) => {
    parts.set(i, await placePart(deps, order, placement, references))
  })
  return parts
}
