import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '#tools/stack/createRandom.ts'
import { toTable } from './bench/toTable.ts'
import { copySources } from './mutate/copySources.ts'
import { createTestFinder } from './mutate/createTestFinder.ts'
import { findMutations } from './mutate/findMutations.ts'
import { listFiles } from './mutate/listFiles.ts'
import type { Mutation } from './mutate/mutation.ts'
import { pickMutations } from './mutate/pickMutations.ts'
import { type MutantOutcome, type MutantRun, runMutant, runTests } from './mutate/runMutant.ts'

const folder = join(import.meta.dirname, '..')
const isMutable = (path: string) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.config.ts')

/**
 * `npm run mutants -- [--count <n>] [--seed <n>] [--paths <folder>,…] [--jobs <n>] [--limit <seconds>] [--least
 * <percent>]`: changes one place of a source at a time, in a copy, and prints which changes a type check or a unit test
 * notices. A lower share than `--least` percent is an error. A survivor is a missing test, or a change without an
 * effect.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      paths: { type: 'string', default: 'functions,shared,schema' },
      jobs: { type: 'string', default: '1' },
      limit: { type: 'string', default: '180' },
      least: { type: 'string', default: '80' },
    },
  })
  const limitMs = Number(values.limit) * 1_000
  const files = await listFiles(folder)
  const sources = new Map<string, string>()
  for (const path of files.filter((path) => path.endsWith('.ts'))) {
    sources.set(path, await readFile(join(folder, path), 'utf8'))
  }
  const roots = values.paths.split(',').map((path) => path.replace(/\/$/, ''))
  const points = [...sources].flatMap(([path, source]) =>
    isMutable(path) && roots.some((root) => path === root || path.startsWith(`${root}/`))
      ? findMutations(path, source)
      : [],
  )
  const sample = pickMutations(points, Number(values.count), createRandom(Number(values.seed)))
  console.log(`${sample.length} of ${points.length} mutants`)
  const findTests = createTestFinder(sources)
  const unstable = new Set<string>()
  const outcomes: { mutation: Mutation; outcome: MutantOutcome }[] = []
  const pending = sample.values()
  await Promise.all(
    Array.from({ length: Number(values.jobs) }, async () => {
      const copy = await copySources(folder, files)
      for (const mutation of pending) {
        const run = { copy, tests: findTests(mutation.path), limitMs }
        const outcome = await runConfirmed(mutation, run, unstable)
        outcomes.push({ mutation, outcome })
        console.log(toLine(mutation, outcome, sources.get(mutation.path) ?? ''))
      }
    }),
  )
  summarize(outcomes, Number(values.least))
}

/** A test that also fails without the mutant proves nothing: the mutant runs again without it. */
const runConfirmed = async (mutation: Mutation, run: MutantRun, unstable: Set<string>): Promise<MutantOutcome> => {
  const outcome = await runMutant(mutation, { ...run, tests: run.tests.filter((test) => !unstable.has(test)) })
  const test =
    outcome.noticedBy === 'test' ? run.tests.find((path) => outcome.detail.startsWith(`${path}:`)) : undefined
  if (!test || (await runTests(run.copy, [test], run.limitMs)) === undefined) return outcome
  console.log(`${test} fails without a mutant`)
  unstable.add(test)
  return runConfirmed(mutation, run, unstable)
}

const toLine = (mutation: Mutation, { noticedBy, detail }: MutantOutcome, source: string): string => {
  const { path, line, operator, start, end, replacement } = mutation
  const change = `${JSON.stringify(source.slice(start, end))} -> ${JSON.stringify(replacement)}`
  return `${noticedBy ?? detail.toUpperCase()}  ${path}:${line}  ${operator}  ${change}${noticedBy ? `  (${detail})` : ''}`
}

const summarize = (outcomes: readonly { mutation: Mutation; outcome: MutantOutcome }[], least: number): void => {
  const operators = [...new Set(outcomes.map(({ mutation }) => mutation.operator))].sort()
  const countOf = (operator: string | null, noticedBy: (outcome: MutantOutcome) => boolean) =>
    outcomes.filter(({ mutation, outcome }) => (!operator || mutation.operator === operator) && noticedBy(outcome))
      .length
  const rows = [...operators, null].map((operator) => [
    operator ?? 'all',
    String(countOf(operator, () => true)),
    String(countOf(operator, ({ noticedBy }) => noticedBy === 'types')),
    String(countOf(operator, ({ noticedBy }) => noticedBy === 'test')),
    String(countOf(operator, ({ detail }) => detail === 'survived')),
    String(countOf(operator, ({ detail }) => detail === 'timeout')),
  ])
  console.log(toTable('mutants', [['operator', 'mutants', 'by types', 'by a test', 'survived', 'timed out'], ...rows]))
  const noticed = countOf(null, ({ noticedBy }) => noticedBy !== null)
  const percent = (100 * noticed) / Math.max(outcomes.length, 1)
  console.log(`noticed ${noticed} of ${outcomes.length}: ${percent.toFixed(1)} %`)
  if (percent < least) throw new Error(`fewer than ${least} % are noticed`)
}

// the default signal handling skips the exit handlers, which stop child processes and remove the copies
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
