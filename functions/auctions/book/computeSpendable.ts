import type { Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { computeRequiredFunds } from '#shared/orders/verdict/requiredFunds.ts'
import type { SpendableFunds } from '../auction.ts'
import { computePreInteractions } from './computePreInteractions.ts'
import { type HeldFunds, unknownFunds } from './funds/balanceCache.ts'
import { toHoldingKey } from './funds/toHoldingKey.ts'

/**
 * What the holdings of orders can pay: the smaller of balance and allowance, without the amounts of running settlements,
 * which may not be mined yet. An order with pre-interactions has the funds after them. Orders that a wrapper, a loan or
 * their settlement must fund are left out.
 * @param candidates all open orders, those in flight included
 * @param funds by `toHoldingKey`
 * @param fundsAfterHooks of orders with pre-interactions, by UID
 */
export const computeSpendable = (
  candidates: readonly Candidate[],
  funds: ReadonlyMap<string, HeldFunds>,
  fundsAfterHooks: ReadonlyMap<Hex, HeldFunds>,
): ReadonlyMap<Hex, SpendableFunds> => {
  const running = new Map<string, bigint>()
  for (const candidate of candidates) {
    if (candidate.sellInFlight === 0n) continue
    const holding = holdingOf(candidate)
    running.set(holding, (running.get(holding) ?? 0n) + candidate.sellInFlight)
  }
  return new Map(
    candidates.flatMap((candidate): [Hex, SpendableFunds][] => {
      const { order } = candidate
      const holding = holdingOf(candidate)
      const known = computePreInteractions(order).length > 0 ? fundsAfterHooks.get(order.uid) : funds.get(holding)
      if (!known || known === unknownFunds) return []
      const usable = minOf(known.balance, known.allowance)
      // an order that is listed without these funds gets them in its settlement
      if (usable < computeRequiredFunds(order)) return []
      return [[order.uid, { holding, spendable: usable - (running.get(holding) ?? 0n) }]]
    }),
  )
}

/** Orders whose holding another open order spends, too. */
export const findShared = (candidates: readonly Candidate[]): ReadonlySet<Candidate> => {
  const byHolding = Map.groupBy(candidates, holdingOf)
  return new Set([...byHolding.values()].flatMap((sharing) => (sharing.length > 1 ? sharing : [])))
}

const holdingOf = ({ order }: Candidate): string => toHoldingKey({ owner: order.owner, token: order.sellToken })
