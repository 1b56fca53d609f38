import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { benchAuctions } from './bench/auctions/benchAuctions.ts'
import { describeMachine } from './bench/describeMachine.ts'
import type { Report } from './bench/figure.ts'
import { benchPaths } from './bench/paths/benchPaths.ts'
import { benchSigning } from './bench/signing/benchSigning.ts'
import { benchSoak } from './bench/soak/benchSoak.ts'
import { benchStart } from './bench/start/benchStart.ts'
import { benchWorkers } from './bench/workers/benchWorkers.ts'

type Options = { quick: boolean; only: string | undefined; minutes: number; rate: number | undefined }

/** Every benchmark prints its progress. */
type Benchmark = (report: (report: Report) => void, options: Options) => Promise<void>

const benchmarks: Record<string, Benchmark> = {
  paths: (report, options) => benchPaths(options, report),
  signing: benchSigning,
  workers: benchWorkers,
  auctions: benchAuctions,
  start: benchStart,
  soak: (report, options) => benchSoak(options, report),
}
/** A soak runs as long as requested, so only on demand. */
const unlessNamed = Object.keys(benchmarks).filter((name) => name !== 'soak')

/**
 * `npm run bench [-- <name> …] [--quick] [--only <path>] [--json <file>] [--check]`: measures against the budgets of
 * the design; with `--check` a missed budget is an error. `npm run bench -- soak --minutes <n> [--rate <requests a
 * second>]`.
 */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: {
      check: { type: 'boolean' },
      quick: { type: 'boolean' },
      only: { type: 'string' },
      json: { type: 'string' },
      minutes: { type: 'string', default: '3' },
      rate: { type: 'string' },
    },
    allowPositionals: true,
  })
  const reports: Report[] = []
  try {
    for (const name of positionals.length > 0 ? positionals : unlessNamed) {
      const benchmark = benchmarks[name]
      if (!benchmark)
        throw new Error(`unknown benchmark ${name}; expected one of ${Object.keys(benchmarks).join(', ')}`)
      await benchmark(
        (report) => {
          console.log(`${report.table}\n`)
          reports.push(report)
        },
        {
          quick: values.quick ?? false,
          only: values.only,
          minutes: Number(values.minutes),
          rate: values.rate === undefined ? undefined : Number(values.rate),
        },
      )
    }
  } finally {
    if (values.json) await writeJson(values.json, reports)
  }
  const over = reports.flatMap((report) => report.over)
  if (values.check && over.length > 0) throw new Error(`over budget:\n  ${over.join('\n  ')}`)
}

const writeJson = async (file: string, reports: readonly Report[]): Promise<void> => {
  const results = reports.map(({ title, figures, over }) => ({ title, figures, over }))
  await writeFile(file, `${JSON.stringify({ machine: describeMachine(), results }, null, 2)}\n`)
}

try {
  await main()
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
