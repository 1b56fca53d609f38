import { benchAuctions, benchBook } from './bench/auctions/benchBook.ts'
import { benchStrategies } from './bench/auctions/benchStrategies.ts'
import type { Report } from './bench/figure.ts'
import { benchLatency } from './bench/latency/benchLatency.ts'
import { benchMarket } from './bench/market/benchMarket.ts'
import { benchPages } from './bench/pages/benchPages.ts'
import { benchPaths } from './bench/paths/benchPaths.ts'
import { benchSigning } from './bench/signing/benchSigning.ts'
import { benchSoak } from './bench/soak/benchSoak.ts'
import { benchStart } from './bench/start/benchStart.ts'
import { benchWorkers } from './bench/workers/benchWorkers.ts'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'

type Options = {
  quick: boolean
  serve: boolean
  only: string | undefined
  minutes: number
  rate: number | undefined
  history: number | undefined
}

/** Every benchmark prints its progress. */
type Benchmark = (report: (report: Report) => void, options: Options) => Promise<void>

const benchmarks: Record<string, Benchmark> = {
  paths: (report, options) => benchPaths(options, report),
  signing: benchSigning,
  workers: benchWorkers,
  auctions: benchAuctions,
  book: benchBook,
  strategies: benchStrategies,
  start: benchStart,
  pages: (report, options) => benchPages(options, report),
  soak: (report, options) => benchSoak(options, report),
  market: (report, options) => benchMarket(options, report),
  latency: (report, options) => benchLatency(options, report),
}
/**
 * A soak runs as long as requested, a market and a harsh chain for minutes, and a large book or many conditional orders
 * take minutes to place: on demand.
 */
const onDemand = ['soak', 'market', 'book', 'latency', 'strategies']
const unlessNamed = Object.keys(benchmarks).filter((name) => !onDemand.includes(name))

const command = {
  run: 'npm run bench',
  about: 'Measures against the budgets of the design.',
  positionals: {
    '[<name> …]': `of ${Object.keys(benchmarks).join(', ')} (default: all but ${onDemand.join(', ')})`,
  },
  options: {
    check: { type: 'boolean', about: 'a missed budget is an error' },
    quick: { type: 'boolean', about: 'fewer repetitions' },
    serve: {
      type: 'boolean',
      default: false,
      about: 'the benchmarks paths and soak with all handlers in one isolate, as npm run serve has them',
    },
    only: { type: 'string', value: 'row', about: 'one row of the benchmarks paths and pages' },
    minutes: { type: 'string', default: '3', value: 'n', about: 'length of a soak' },
    rate: { type: 'string', value: 'n', about: 'requests a second of a soak' },
    history: {
      type: 'string',
      value: 'n',
      about: 'orders that the network of a soak already has; needs TEST_DATABASE_URL',
    },
  },
} as const

/** Runs the benchmarks one after the other. */
const main = async (): Promise<void> => {
  const { values, positionals } = readCommand(command)
  const over: string[] = []
  const report = (report: Report): void => {
    console.log(`${report.table}\n`)
    over.push(...report.over)
  }
  for (const name of positionals.length > 0 ? positionals : unlessNamed) {
    const benchmark = benchmarks[name]
    if (!benchmark) throw new Error(`unknown benchmark ${name}; expected one of ${Object.keys(benchmarks).join(', ')}`)
    await benchmark(report, {
      quick: values.quick ?? false,
      serve: values.serve,
      only: values.only,
      minutes: Number(values.minutes),
      rate: toNumber(values.rate),
      history: toNumber(values.history),
    })
  }
  if (values.check && over.length > 0) throw new Error(`over budget:\n  ${over.join('\n  ')}`)
}

const toNumber = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value))

await runMain(main, { exits: true })
