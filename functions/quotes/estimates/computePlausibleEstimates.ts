import type { Estimate } from './findEstimate.ts'
import type { EstimateMarket } from './findMarket.ts'

/** Native prices are those of small trades elsewhere: an estimate is judged by them with this much room. */
const priceFactor = 10
/** Estimates of the same trade differ less than this. */
const estimateFactor = 3
const minMajority = 3

export type ImplausibleEstimate = {
  estimate: Estimate
  /** bought value over sold value, at known prices */
  worth: number
  reason: 'far above known prices' | 'far above the estimates of other solvers' | 'far below known prices'
}

/**
 * Leaves out estimates that promise far more than known prices and other solvers do. An estimate that a simulation confirmed
 * stays, and so does one that another solver confirms. A poor estimate stays, too: it loses to any better one, and a large
 * trade in a small pool is honestly poor. It is left out only when it is the single estimate because other solvers have not
 * responded: then nothing shows that the market is that poor.
 * @param isAwaited whether a solver has not responded yet, or failed to
 */
export const computePlausibleEstimates = (
  estimates: readonly Estimate[],
  market: Pick<EstimateMarket, 'sellTokenPrice' | 'buyTokenPrice' | 'isConfirmed'>,
  isAwaited: boolean,
): { plausible: Estimate[]; implausible: ImplausibleEstimate[] } => {
  const rates = estimates.map(({ sellAmount, buyAmount }) => Number(buyAmount) / Number(sellAmount))
  const median = rates.toSorted((a, b) => a - b)[Math.floor((rates.length - 1) / 2)] ?? 0
  const hasMajority = rates.length >= minMajority
  const judge = (rate: number, worth: number): ImplausibleEstimate['reason'] | undefined => {
    if (market.isConfirmed && worth > priceFactor) return 'far above known prices'
    const isSingle = rates.length === 1 && isAwaited
    if (market.isConfirmed && isSingle && worth * priceFactor < 1) return 'far below known prices'
    const isAboveOthers = hasMajority && rate > median * (market.isConfirmed ? estimateFactor : priceFactor)
    const isAbovePrices = !market.isConfirmed || worth > estimateFactor
    return isAboveOthers && isAbovePrices ? 'far above the estimates of other solvers' : undefined
  }
  const plausible: Estimate[] = []
  const implausible: ImplausibleEstimate[] = []
  for (const [i, estimate] of estimates.entries()) {
    const rate = rates[i] ?? 0
    const worth = (rate * market.buyTokenPrice) / market.sellTokenPrice
    const isSupported = rates.some((other, j) => j !== i && rate <= other * estimateFactor)
    const isProven = estimate.verification.status === 'passed'
    const reason = isProven || isSupported ? undefined : judge(rate, worth)
    if (reason) implausible.push({ estimate, worth, reason })
    else plausible.push(estimate)
  }
  return { plausible, implausible }
}
