import type { Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import type { SpendableFunds } from '../auction.ts'
import { type HeldFunds, unknownFunds } from './funds/balanceCache.ts'
import { toHoldingKey } from './funds/toHoldingKey.ts'

/**
 * What the holdings of orders can pay: the smaller of balance and allowance, without the amounts of running settlements,
 * which may not be mined yet. Orders that something funds within their settlement are left out.
 * @param candidates all open orders, those in flight included
 * @param funds by `toHoldingKey`, of orders without hooks
 */
export const computeSpendable = (
  candidates: readonly Candidate[],
  funds: ReadonlyMap<string, HeldFunds>,
): ReadonlyMap<Hex, SpendableFunds> => {
  const holdingOf = ({ order }: Candidate) => toHoldingKey({ owner: order.owner, token: order.sellToken })
  const running = new Map<string, bigint>()
  for (const candidate of candidates) {
    if (candidate.sellInFlight === 0n) continue
    const holding = holdingOf(candidate)
    running.set(holding, (running.get(holding) ?? 0n) + candidate.sellInFlight)
  }
  return new Map(
    candidates.flatMap((candidate): [Hex, SpendableFunds][] => {
      const holding = holdingOf(candidate)
      const known = funds.get(holding)
      if (!known || known === unknownFunds || candidate.funding || candidate.order.preInteractions.length > 0) return []
      const spendable = minOf(known.balance, known.allowance) - (running.get(holding) ?? 0n)
      return [[candidate.order.uid, { holding, spendable }]]
    }),
  )
}
