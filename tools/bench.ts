import { parseArgs } from 'node:util'
import { benchAuctions } from './bench/auctions/benchAuctions.ts'
import { type Figure, isWithinBudget, toTable } from './bench/figure.ts'

/** Every benchmark reports tables of figures as it goes. */
type Benchmark = (report: (title: string, figures: Figure[]) => void) => Promise<void>

const benchmarks: Record<string, Benchmark> = { auctions: benchAuctions }

/** `npm run bench [-- <name> …] [--check]`: measures against the budgets; with `--check` a budget that does not hold is an error. */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true })
  const over: string[] = []
  for (const name of positionals.length > 0 ? positionals : Object.keys(benchmarks)) {
    const benchmark = benchmarks[name]
    if (!benchmark) throw new Error(`no benchmark ${name}: there are ${Object.keys(benchmarks).join(', ')}`)
    await benchmark((title, figures) => {
      console.log(`${toTable(title, figures)}\n`)
      over.push(...figures.filter((figure) => !isWithinBudget(figure)).map((figure) => `${title}: ${figure.name}`))
    })
  }
  if (values.check && over.length > 0) throw new Error(`over budget:\n  ${over.join('\n  ')}`)
}

try {
  await main()
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
