import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cacheFolder } from './cache/cacheFolder.ts'
import { readCommand } from './command/readCommand.ts'
import { listTrackedFiles, root } from './lint/listTrackedFiles.ts'
import { listTouchedFiles } from './test/listTouchedFiles.ts'
import { longTests, longVariables } from './test/longTests.ts'
import { runSideBySide, type Step } from './test/runSideBySide.ts'

const command = {
  run: 'npm test',
  about: `Checks lint and types beside the unit tests, then runs the end-to-end tests.
With --changed, only the tests that a change touches; with --long, the tests that have a longer variant, in that variant.`,
  options: {
    changed: { type: 'boolean', default: false, about: 'only what changed since a commit, committed or not' },
    since: { type: 'string', default: 'HEAD', value: 'commit', about: 'the commit that --changed compares with' },
    long: { type: 'boolean', default: false, about: 'the long variants, an hour' },
  },
} as const

/** Runs the stages one after the other until one fails; whether all passed. */
const main = async (): Promise<boolean> => {
  const { values } = readCommand(command)
  // compiled modules, for all processes of the tests
  process.env.NODE_COMPILE_CACHE ??= join(cacheFolder, 'modules')
  const times: string[] = []
  for (const stage of findStages(values)) {
    const results = await runSideBySide(root, stage)
    times.push(...results.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`))
    const failed = results.filter(({ passed }) => !passed).map(({ name }) => name)
    if (failed.length > 0) {
      console.error(`${failed.join(' and ')} failed (${times.join(' · ')})`)
      return false
    }
  }
  console.log(`all passed: ${times.join(' · ') || 'nothing to test'}`)
  return true
}

const checks: readonly Step[] = [
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'types'] },
]
const findStages = (values: { changed: boolean; since: string; long: boolean }): readonly (readonly Step[])[] => {
  if (values.long)
    return longTests.map((steps) =>
      steps.map(({ name, files }) => ({ name, command: ['npx', 'vitest', 'run', ...files], variables: longVariables })),
    )
  if (values.changed) return findChangedStages(values.since)
  return [
    // unit tests wait for a third of their time
    [...checks, { name: 'unit', command: [...vitest, 'unit', ...simulations.flatMap((file) => ['--exclude', file])] }],
    // simulations wait for nothing: they take the time in which end-to-end tests wait, a sixth of it
    [
      { name: 'end-to-end', command: [...vitest, 'e2e'] },
      { name: 'simulations', command: ['nice', '-n', '5', ...vitest, 'unit', ...simulations] },
    ],
  ]
}

const vitest = ['npx', 'vitest', 'run', '--project']
const simulations = ['test/simulation/simulation.test.ts', 'test/simulation/faults/deliberateFaults.test.ts']

const findChangedStages = (since: string): readonly (readonly Step[])[] => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const changed = `${git('diff', '--name-only', since)}${git('ls-files', '--others', '--exclude-standard')}`
    .split('\n')
    .filter((path) => path !== '')
  const all = listTrackedFiles().filter((path) => /^test\/e2e\/.*\.test\.ts$/.test(path))
  const touched = listTouchedFiles(changed, all)
  if (changed.length === 0) return []
  const unit = { name: 'unit', command: [...vitest, 'unit', '--passWithNoTests', `--changed=${since}`] }
  if (touched.length === 0) return [checks, [unit]]
  return [checks, [unit], [{ name: 'end-to-end', command: [...vitest, 'e2e', ...touched] }]]
}

process.exitCode = (await main()) ? 0 : 1
