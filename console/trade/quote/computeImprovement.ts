import type { Amounts } from '../draft/computeLimit.ts'

/** Improvement of an offer in atoms, and the amount it is a share of; negative when the offer is worse. */
export type Improvement = { atoms: bigint; of: bigint }

/** More of the buy token is better for a sell order, less of the sell token for a buy order. */
export const computeImprovement = (kind: 'sell' | 'buy', before: Amounts, after: Amounts): Improvement =>
  kind === 'sell'
    ? { atoms: after.buyAmount - before.buyAmount, of: before.buyAmount }
    : { atoms: before.sellAmount - after.sellAmount, of: before.sellAmount }
