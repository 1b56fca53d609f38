import type { Report } from '../figure.ts'
import { computeQuantile } from '../market/computeQuantile.ts'
import { toTable, toText } from '../toTable.ts'

/** Responses of one kind of request: milliseconds of those that were accepted, and how many had another status. */
export type Responses = { acceptedMs: number[]; refused: number; others: number }

/** p50 and p95 as the status of the network has them; null without any. */
export type ServiceLatency = { count: number; p50Ms: number | null; p95Ms: number | null }

/**
 * Milliseconds from the response to a submission until the order is read as filled, and basis points by which it got more
 * than its quote after all fees.
 */
export type Fill = { ms: number; overQuoteBps: number }

/** Waiting times of users of one chain. */
export type LatencyOutcome = {
  quotes: Responses
  submissions: Responses
  /** null: not in time */
  fills: (Fill | null)[]
  /** from `status.json`, after all of that */
  service: Record<'quotes' | 'submissions' | 'timeToFill', ServiceLatency>
  /** quotes of many clients at once */
  crowd: Responses
}

/** p95 of the quotes that a crowd gets, milliseconds; the others are refused with 503. */
const crowdBudgetMs = 1_000

type Row = { name: string; toText: (outcome: LatencyOutcome) => string; isOver?: (outcome: LatencyOutcome) => boolean }

const pair = (p50: number | null, p95: number | null): string =>
  [p50, p95].map((ms) => (ms === null || Number.isNaN(ms) ? '–' : toText(Math.round(ms)))).join(' / ')

const toPair = (values: readonly number[]): string => pair(computeQuantile(values, 0.5), computeQuantile(values, 0.95))

const filled = ({ fills }: LatencyOutcome): Fill[] => fills.flatMap((fill) => fill ?? [])

/** Median, 5th percentile and worst of the fills against their quotes, basis points. */
const toAgainstQuote = (outcome: LatencyOutcome): string => {
  const over = filled(outcome).map(({ overQuoteBps }) => overQuoteBps)
  return [0.5, 0.05, 0].map((quantile) => computeQuantile(over, quantile).toFixed(1)).join(' / ')
}

const total = ({ acceptedMs, refused, others }: Responses): number => acceptedMs.length + refused + others

const ofService = (key: keyof LatencyOutcome['service']): Row['toText'] => {
  return ({ service }) => pair(service[key].p50Ms, service[key].p95Ms)
}

const rows: readonly Row[] = [
  { name: 'quote', toText: ({ quotes }) => toPair(quotes.acceptedMs) },
  { name: 'quotes that were requested again', toText: ({ quotes }) => toText(quotes.refused + quotes.others) },
  { name: 'submission', toText: ({ submissions }) => toPair(submissions.acceptedMs) },
  { name: 'time to fill', toText: (outcome) => toPair(filled(outcome).map(({ ms }) => ms)) },
  {
    name: 'filled orders',
    toText: (outcome) => `${filled(outcome).length} of ${outcome.fills.length}`,
    isOver: (outcome) => filled(outcome).length < outcome.fills.length,
  },
  { name: 'fill over quote, bp p50 / p5 / worst', toText: toAgainstQuote },
  { name: 'quote, by the status', toText: ofService('quotes') },
  { name: 'submission, by the status', toText: ofService('submissions') },
  { name: 'time to fill, by the status', toText: ofService('timeToFill') },
  {
    name: 'quote of 100 clients at once',
    toText: ({ crowd }) => toPair(crowd.acceptedMs),
    isOver: ({ crowd }) => computeQuantile(crowd.acceptedMs, 0.95) > crowdBudgetMs,
  },
  { name: 'of them refused with 503', toText: ({ crowd }) => `${toText(crowd.refused)} of ${toText(total(crowd))}` },
  {
    name: 'of them with another status',
    toText: ({ crowd }) => toText(crowd.others),
    isOver: ({ crowd }) => crowd.others > 0 || crowd.acceptedMs.length === 0,
  },
]

/** Table of chains by name; p50 and p95 in milliseconds. */
export const toLatencyReport = (outcomes: readonly (readonly [chain: string, outcome: LatencyOutcome])[]): Report => {
  const findOver = ({ isOver }: Row): string[] =>
    outcomes.flatMap(([chain, outcome]) => (isOver?.(outcome) ? [chain] : []))
  return {
    table: toTable('latency, ms p50 / p95', [
      ['', ...outcomes.map(([chain]) => chain), 'verdict'],
      ...rows.map((row) => [
        row.name,
        ...outcomes.map(([, outcome]) => row.toText(outcome)),
        row.isOver ? (findOver(row).length > 0 ? 'OVER' : 'ok') : '',
      ]),
    ]),
    over: rows.flatMap((row) => findOver(row).map((chain) => `latency on ${chain}: ${row.name}`)),
  }
}
