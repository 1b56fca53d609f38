import { type Address, zeroAddress } from 'viem'
import { readMove } from './readMove.ts'
import type { BundleLog } from './simulateBundle.ts'

/** holder → token → change in atoms */
type Changes = Map<Address, Map<Address, bigint>>
/** holder → token → change in atoms, a signed decimal; unchanged balances are left out */
export type BalanceDiff = Record<Address, Record<Address, string>>

/** Maximum number of changes in a response, where each change is repeated for every later transaction: 5 MB of JSON. */
export const maxReportedChanges = 30_000

/**
 * Balance changes since before the first transaction, after each transaction, from token events. The zero address has
 * no balance: transfers from it mint, transfers to it burn.
 * @param logs logs of each transaction, native transfers included
 * @returns undefined when there are more changes than the maximum
 */
export const computeBalanceDiffs = (
  logs: readonly (readonly BundleLog[])[],
  wrappedNative: Address,
): BalanceDiff[] | undefined => {
  const changes: Changes = new Map()
  const diffs: BalanceDiff[] = []
  let reported = 0
  for (const ofTransaction of logs) {
    for (const log of ofTransaction) {
      const move = readMove(log, wrappedNative)
      if (!move) continue
      add(changes, move.from, log.address, -move.amount)
      add(changes, move.to, log.address, move.amount)
    }
    reported += [...changes.values()].reduce((sum, { size }) => sum + size, 0)
    if (reported > maxReportedChanges) return undefined
    diffs.push(toBalanceDiff(changes))
  }
  return diffs
}

const add = (changes: Changes, holder: Address, token: Address, amount: bigint): void => {
  if (holder === zeroAddress) return
  const ofHolder = changes.get(holder) ?? new Map<Address, bigint>()
  changes.set(holder, ofHolder.set(token, (ofHolder.get(token) ?? 0n) + amount))
}

const toBalanceDiff = (changes: Changes): BalanceDiff =>
  Object.fromEntries(
    [...changes].flatMap(([holder, ofHolder]) => {
      const changed = [...ofHolder].filter(([, amount]) => amount !== 0n)
      const texts = changed.map(([token, amount]) => [token, amount.toString()])
      return changed.length > 0 ? [[holder, Object.fromEntries(texts) as Record<Address, string>]] : []
    }),
  )
