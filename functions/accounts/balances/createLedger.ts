import type { Address } from 'viem'
import type { AccountHolding } from './findAccountBalances.ts'

/** A changed amount. `sequence` counts the changes of an account. */
export type LedgerChange = {
  sequence: number
  tokenAddress: Address
  amount: 'balance' | 'allowance'
  before: bigint
  after: bigint
  /** when it was noticed, Unix milliseconds */
  timestamp: number
}

/** The known holdings of an account, and their recent changes. */
export type Ledger = {
  /** sequence number of the newest change, 0 before the first */
  sequence: () => number
  has: (token: Address) => boolean
  find: (tokens: readonly Address[]) => AccountHolding[]
  /** Records a read. The first holding of a token is not a change, and a missing amount leaves the known one unchanged. */
  record: (holdings: readonly AccountHolding[], timestamp: number) => LedgerChange[]
  /** undefined when some of the changes after `sequence` were discarded */
  findSince: (sequence: number, tokens: ReadonlySet<Address>) => LedgerChange[] | undefined
  forget: (token: Address) => void
}

/** @param maxChanges number of changes that are retained */
export const createLedger = (maxChanges: number): Ledger => {
  const known = new Map<Address, AccountHolding>()
  let changes: LedgerChange[] = []
  let sequence = 0

  const recordOne = (read: AccountHolding, timestamp: number): LedgerChange[] => {
    const { address: tokenAddress } = read.token
    const before = known.get(tokenAddress)
    const after = before ? merge(before, read) : read
    known.set(tokenAddress, after)
    if (!before) return []
    return (['balance', 'allowance'] as const).flatMap((amount) => {
      const [old = 0n, now = 0n] = [before[amount], after[amount]]
      if (old === now) return []
      sequence += 1
      return [{ sequence, tokenAddress, amount, before: old, after: now, timestamp }]
    })
  }

  return {
    sequence: () => sequence,
    has: (token) => known.has(token),
    find: (tokens) => tokens.flatMap((token) => known.get(token) ?? []),
    record: (holdings, timestamp) => {
      const found = holdings.flatMap((holding) => recordOne(holding, timestamp))
      changes = [...changes, ...found].slice(-maxChanges)
      return found
    },
    findSince: (position, tokens) => {
      const oldest = changes[0]?.sequence ?? sequence + 1
      if (position < oldest - 1 || position > sequence) return undefined
      return changes.filter((change) => change.sequence > position && tokens.has(change.tokenAddress))
    },
    forget: (token) => known.delete(token),
  }
}

const merge = (before: AccountHolding, read: AccountHolding): AccountHolding => ({
  token: { ...before.token, ...read.token },
  balance: read.balance ?? before.balance,
  allowance: read.allowance ?? before.allowance,
  fault: read.fault,
})
