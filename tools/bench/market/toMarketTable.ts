import { computeQuantile } from './computeQuantile.ts'
import type { MarketOutcome } from './readOutcome.ts'

const headings = [
  'Scenario',
  'Orders',
  'Filled',
  'Blocks to fill p50 / p95 / p99',
  'Failed settlements',
  'Gas per order',
  'Price against the optimum p5 / p50',
  'Fee against cost p5 / p50 / p95',
  'Fee covers cost',
]

/** Markdown table of scenarios by name. */
export const toMarketTable = (outcomes: readonly (readonly [name: string, outcome: MarketOutcome])[]): string =>
  [headings, headings.map(() => '---'), ...outcomes.map(([name, outcome]) => toRow(name, outcome))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

const toRow = (
  name: string,
  { orders, filled, blocksToFill, attempts, failed, gasPerOrder, priceShares, feeShares }: MarketOutcome,
): string[] => {
  const covered = feeShares.filter((share) => share >= 1).length
  return [
    name,
    String(orders),
    toPercent(filled, orders),
    [0.5, 0.95, 0.99].map((q) => String(computeQuantile(blocksToFill, q))).join(' / '),
    `${failed} of ${attempts}`,
    Math.round(gasPerOrder).toLocaleString('en'),
    [0.05, 0.5].map((q) => computeQuantile(priceShares, q).toFixed(4)).join(' / '),
    [0.05, 0.5, 0.95].map((q) => computeQuantile(feeShares, q).toFixed(2)).join(' / '),
    toPercent(covered, feeShares.length),
  ]
}

const toPercent = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`)
