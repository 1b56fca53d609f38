import { type Address, type Hex, zeroAddress } from 'viem'
import type { BundleLog } from './simulateBundle.ts'

/** holder → token → change in atoms */
type Changes = Map<Address, Map<Address, bigint>>
/** holder → token → change in atoms, a signed decimal; unchanged balances are left out */
export type BalanceDiff = Record<Address, Record<Address, string>>

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/**
 * `Deposit(address,uint256)` and `Withdrawal(address,uint256)` of the wrapped native token, which emits no `Transfer`
 * for them
 */
const depositTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const withdrawalTopic = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

/** Maximum number of changes in a response, where each change is repeated for every later transaction: 5 MB of JSON. */
export const maxReportedChanges = 30_000

type Move = { from: Address; to: Address; amount: bigint }

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
    for (const log of ofTransaction) applyMove(changes, log.address, readMove(log, wrappedNative))
    reported += [...changes.values()].reduce((sum, { size }) => sum + size, 0)
    if (reported > maxReportedChanges) return undefined
    diffs.push(toBalanceDiff(changes))
  }
  return diffs
}

const readMove = ({ address, topics, data }: BundleLog, wrappedNative: Address): Move | undefined => {
  if (data.length !== 66) return undefined
  const [topic, first, second] = topics
  const amount = BigInt(data)
  if (topic === transferTopic && first && second && topics.length === 3)
    return { from: toAddress(first), to: toAddress(second), amount }
  if (address !== wrappedNative || !first) return undefined
  if (topic === depositTopic) return { from: zeroAddress, to: toAddress(first), amount }
  if (topic === withdrawalTopic) return { from: toAddress(first), to: zeroAddress, amount }
  return undefined
}

const applyMove = (changes: Changes, token: Address, move: Move | undefined): void => {
  if (!move) return
  add(changes, move.from, token, -move.amount)
  add(changes, move.to, token, move.amount)
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

const toAddress = (topic: Hex): Address => `0x${topic.slice(26).toLowerCase()}`
