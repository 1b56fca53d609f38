import { encodeAllowance, encodeBalance } from '#shared/chain/calls/balanceCalls.ts'
import { type CallBounds, callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import { readWord } from '#shared/chain/calls/readWord.ts'
import { alternate } from '../alternate.ts'
import type { BookDeps } from '../bookDeps.ts'
import type { BalanceCache, HeldFunds } from './balanceCache.ts'
import { listFirstOfEach, type NamedHolding, takeTurns } from './takeTurns.ts'

/** Gas units of a first read; ordinary tokens take a third. A cut has two batches of them. */
const firstBounds: CallBounds = { gasEach: 100_000n, maxRequests: 30 }
/** Gas units for tokens that need more: ample for any token, and cheap for the node. */
const secondBounds: CallBounds = { gasEach: 1_000_000n, maxRequests: 12 }
/** Maximum number of holdings read with the larger limit per cut; the others wait for a later one. */
const maxSecondReads = 40
/** Time limit of all reads of one cut. */
const timeoutMs = 4_000
/** Above this number, holdings are read in two steps: one of each token first, to detect slow tokens. */
const maxAtOnce = 300

/**
 * Reads holdings of untrusted tokens: first with little gas, then some of those that ran out of it with more. Tokens
 * alternate, and those that failed before come last, so that hostile holdings cannot prevent honest ones from being
 * read.
 * @param missing holdings without known funds
 * @param waiting holdings of earlier cuts that ran out of gas
 * @returns funds by key; 0 where a token does not respond; no entry for holdings beyond the time limit
 * @throws Error when the node fails
 */
export const readFunds = async (
  deps: Pick<BookDeps, 'network' | 'chain'>,
  cache: Pick<BalanceCache, 'waiting' | 'failing'>,
  missing: readonly NamedHolding[],
  waiting: readonly NamedHolding[],
): Promise<Map<string, HeldFunds>> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const funds = new Map<string, HeldFunds>()
  const exhausted: NamedHolding[] = []
  const readFirst = async (holdings: readonly NamedHolding[]) => {
    for (const { named, outcome } of await callTokens(deps, holdings, { ...firstBounds, signal })) {
      if (outcome === 'exhausted') exhausted.push(named)
      else if (outcome !== 'notRequested') settle(cache, funds, named, outcome)
    }
    for (const [key, { token }] of exhausted) {
      funds.set(key, nothing)
      cache.waiting.delete(key)
      cache.waiting.add(key)
      if (!cache.failing.has(token)) cache.failing.set(token, 1)
    }
  }
  const turns = takeTurns(cache, missing, 1)
  const sample = turns.length > maxAtOnce ? listFirstOfEach(turns) : turns
  await readFirst(sample)
  const sampled = new Set(sample)
  await readFirst(
    takeTurns(
      cache,
      turns.filter((named) => !sampled.has(named)),
      1,
    ),
  )
  const missed = new Set(missing.map(([key]) => key))
  const earlier = waiting.filter(([key]) => !missed.has(key))
  const second = alternate(takeTurns(cache, exhausted, 2), takeTurns(cache, earlier, 2)).slice(0, maxSecondReads)
  for (const { named, outcome } of await callTokens(deps, second, { ...secondBounds, signal })) {
    if (outcome === 'notRequested') continue
    settle(cache, funds, named, outcome === 'exhausted' ? nothing : outcome)
    if (outcome === 'exhausted') cache.failing.set(named[1].token, 2)
  }
  return funds
}

const nothing: HeldFunds = { balance: 0n, allowance: 0n }

const settle = (
  { waiting, failing }: Pick<BalanceCache, 'waiting' | 'failing'>,
  funds: Map<string, HeldFunds>,
  [key, { token }]: NamedHolding,
  read: HeldFunds,
): void => {
  funds.set(key, read)
  waiting.delete(key)
  if (read !== nothing) failing.delete(token)
}

type Read = { named: NamedHolding; outcome: HeldFunds | 'exhausted' | 'notRequested' }

const callTokens = async (
  { network, chain }: Pick<BookDeps, 'network' | 'chain'>,
  holdings: readonly NamedHolding[],
  bounds: CallBounds,
): Promise<Read[]> => {
  const calls = holdings.flatMap(([, { owner, token }]) =>
    [encodeBalance(owner), encodeAllowance(owner, network.vaultRelayer)].map((callData) => ({
      target: token,
      callData,
    })),
  )
  const outcomes = await callTogether(chain, calls, bounds)
  return holdings.map((named, i): Read => {
    const own = outcomes.slice(2 * i, 2 * i + 2)
    if (own.includes('notRequested')) return { named, outcome: 'notRequested' }
    const known = own.filter((outcome) => outcome !== 'failed')
    if (known.length === 0 || (known.length === 1 && known[0] === 'exhausted')) return { named, outcome: nothing }
    if (own.includes('exhausted')) return { named, outcome: 'exhausted' }
    const [balance = 0n, allowance = 0n] = own.map((outcome) => readWord(toReturned(outcome)) ?? 0n)
    return { named, outcome: { balance, allowance } }
  })
}
