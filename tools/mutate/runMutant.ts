import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applyMutation } from './applyMutation.ts'
import type { Mutation } from './mutation.ts'
import { runCommand } from './runCommand.ts'

export type MutantOutcome =
  | { noticedBy: 'types' | 'test'; detail: string }
  /** `survived`: every related test passes; `timeout`: out of time without a failing test */
  | { noticedBy: null; detail: 'survived' | 'timeout' }

export type MutantRun = {
  /** a copy of the repository, changed only during the run */
  copy: string
  /** tests that reach the source, the nearest first */
  tests: readonly string[]
  limitMs: number
}

/** Number of tests in the first, short runs: most mutants are noticed near their place. */
const parts = [4, 12]
const resultFile = 'mutant-result.json'
// a mutant that leaves an import or a parameter unused is not noticed by that alone
const compile = ['-p', 'tsconfig.json', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false']

/** Applies the change to the copy, checks types, runs tests, and reverts it. */
export const runMutant = async (mutation: Mutation, { copy, tests, limitMs }: MutantRun): Promise<MutantOutcome> => {
  const file = join(copy, mutation.path)
  const source = await readFile(file, 'utf8')
  await writeFile(file, applyMutation(source, mutation))
  const until = Date.now() + limitMs
  try {
    const types = await runCommand(copy, ['node_modules/.bin/tsc', ...compile], limitMs)
    if (types.code !== 0 && !types.timedOut) return { noticedBy: 'types', detail: types.output.split('\n')[0] ?? '' }
    for (const part of split(tests)) {
      const left = until - Date.now()
      const failed = left > 0 ? await runTests(copy, part, left) : 'timeout'
      if (failed === 'timeout') return { noticedBy: null, detail: 'timeout' }
      if (failed !== undefined) return { noticedBy: 'test', detail: failed }
    }
    return { noticedBy: null, detail: 'survived' }
  } finally {
    await writeFile(file, source)
  }
}

const split = (tests: readonly string[]): (readonly string[])[] =>
  [...parts, tests.length]
    .map((size, i) => {
      const from = parts.slice(0, i).reduce((sum, part) => sum + part, 0)
      return tests.slice(from, from + size)
    })
    .filter((part) => part.length > 0)

/** @returns the name of the first failing test; undefined when all pass */
export const runTests = async (
  copy: string,
  tests: readonly string[],
  limitMs: number,
): Promise<string | 'timeout' | undefined> => {
  const report = join(copy, resultFile)
  await rm(report, { force: true })
  const options = ['--project', 'unit', '--bail', '1', '--reporter', 'json', '--outputFile', resultFile]
  const run = await runCommand(copy, ['node_modules/.bin/vitest', 'run', ...options, ...tests], limitMs)
  if (run.code === 0) return undefined
  if (run.timedOut) return 'timeout'
  return findFailure(await readFile(report, 'utf8').catch(() => '{}'), copy) ?? run.output.trim().slice(-200)
}

type Report = {
  testResults?: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}

const findFailure = (json: string, copy: string): string | undefined => {
  const files = (JSON.parse(json) as Report).testResults ?? []
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => ({ name, what: fullName })),
  )
  const broken = files.map(({ name, status, message }) => ({ name, what: message?.split('\n')[0], status }))
  const [failure] = [...tests, ...broken.filter(({ status, what }) => status === 'failed' && what)]
  return failure && `${failure.name.replace(`${copy}/`, '')}: ${failure.what}`
}
