import type { BalanceCache } from './balanceCache.ts'
import type { Holding } from './toHoldingKey.ts'

/** A holding after its key. */
export type NamedHolding = [string, Holding]

/** Round-robin over tokens: one holding of each, then a second one of each; tokens with `times` failures come last. */
export const takeTurns = (
  { failing }: Pick<BalanceCache, 'failing'>,
  holdings: readonly NamedHolding[],
  times: number,
): NamedHolding[] => {
  const turns = new Map<string, number>()
  const ranked = holdings.map((named) => {
    const { token } = named[1]
    const turn = turns.get(token) ?? 0
    turns.set(token, turn + 1)
    return { named, rank: (failing.get(token) ?? 0) >= times ? turn + 1e9 : turn }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ named }) => named)
}

/** The first holding of each token. */
export const listFirstOfEach = (holdings: readonly NamedHolding[]): NamedHolding[] => {
  const first = new Map<string, NamedHolding>()
  for (const named of holdings) if (!first.has(named[1].token)) first.set(named[1].token, named)
  return [...first.values()]
}
