import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readCommand } from './command/readCommand.ts'
import { listTrackedFiles, root } from './lint/listTrackedFiles.ts'
import { listTouchedFiles } from './test/listTouchedFiles.ts'

const command = {
  run: 'npm test',
  about: `Checks lint and types, then runs the unit tests and the end-to-end tests.
With --changed, only the tests that a change touches.`,
  options: {
    changed: { type: 'boolean', default: false, about: 'only what changed since a commit, committed or not' },
    since: { type: 'string', default: 'HEAD', value: 'commit', about: 'the commit that --changed compares with' },
  },
} as const

/** Runs the steps one after the other until one fails; whether all passed. */
const main = async (): Promise<boolean> => {
  const { values } = readCommand(command)
  const times: string[] = []
  for (const [name, program, ...args] of values.changed ? listChangedSteps(values.since) : steps) {
    const began = Date.now()
    const child = spawn(program, args, { cwd: root, stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    times.push(`${name} ${((Date.now() - began) / 1000).toFixed(0)} s`)
    if (code !== 0) {
      console.error(`${name} failed (${times.join(' · ')})`)
      return false
    }
  }
  console.log(`all passed: ${times.join(' · ') || 'nothing to test'}`)
  return true
}

type Step = readonly [name: string, program: string, ...args: string[]]

const checks: readonly Step[] = [
  ['lint', 'npm', 'run', '--silent', 'lint'],
  ['types', 'npm', 'run', '--silent', 'types'],
]
const steps: readonly Step[] = [
  ...checks,
  ['unit', 'npm', 'run', '--silent', 'test:unit'],
  ['end-to-end', 'npm', 'run', '--silent', 'test:e2e'],
]

const listChangedSteps = (since: string): readonly Step[] => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const changed = `${git('diff', '--name-only', since)}${git('ls-files', '--others', '--exclude-standard')}`
    .split('\n')
    .filter((path) => path !== '')
  const all = listTrackedFiles().filter((path) => /^test\/e2e\/.*\.test\.ts$/.test(path))
  const touched = listTouchedFiles(changed, all)
  if (changed.length === 0) return []
  return [
    ...checks,
    ['unit', 'npx', 'vitest', 'run', '--project', 'unit', '--passWithNoTests', `--changed=${since}`],
    ...(touched.length > 0 ? [['end-to-end', 'npx', 'vitest', 'run', '--project', 'e2e', ...touched] as const] : []),
  ]
}

process.exitCode = (await main()) ? 0 : 1
