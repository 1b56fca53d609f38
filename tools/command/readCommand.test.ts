import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { readCommand, renderHelp } from './readCommand.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const command = {
  run: 'npm run count',
  about: 'Counts.',
  positionals: { '<folder>': 'where to count' },
  options: {
    limit: { type: 'string', default: '10', value: 'n', about: 'most files' },
    name: { type: 'string', default: '', value: 'text', about: 'a part of their names' },
    only: { type: 'string', multiple: true, value: 'name', about: 'a name to count' },
    quick: { type: 'boolean', default: false, about: 'count once' },
  },
} as const

test('options and arguments are read, with defaults', () => {
  const { values, positionals } = readCommand({ ...command, positionals: { '<folder>': 'where' } }, [
    'shared',
    '--limit',
    '3',
    '--quick',
  ])
  expect(values).toEqual({ limit: '3', name: '', quick: true })
  expect(positionals).toEqual(['shared'])
})

test('an unknown option and an unexpected argument are errors', () => {
  const plain = { run: 'npm start', about: 'Starts.', options: {} }
  expect(() => readCommand(plain, ['--limit'])).toThrow("Unknown option '--limit'")
  expect(() => readCommand(plain, ['shared'])).toThrow(
    'unexpected argument shared; npm start -- --help lists the options',
  )
})

test('the help names usage, arguments, options and defaults', () => {
  expect(renderHelp(command)).toMatchInlineSnapshot(`
    "npm run count -- <folder> [options]

    Counts.

      <folder>       where to count
      --limit <n>    most files (default: 10)
      --name <text>  a part of their names
      --only <name>  a name to count; may be repeated
      --quick        count once
      --help         print this text"
  `)
})

/** Scripts without arguments: others run a program that describes itself under its own name. */
const programs = Object.entries(packageFile.scripts).flatMap(([name, script]) => {
  const [, program] = script.match(/^(?:exec )?node ((?:tools|test)\/\S+\.ts)$/) ?? []
  return program ? [{ name, program }] : []
})

test.each(programs)('npm run $name describes itself', async ({ name, program }) => {
  const source = await readFile(join(root, program), 'utf8')
  expect(source).toContain('readCommand(')
  expect(source).toMatch(new RegExp(`run: 'npm (run )?${name}'`))
})

test('--help prints the description and does nothing else', async () => {
  const { stdout, stderr } = await run('node', ['tools/settings/writeSettings.ts', '--help'], { cwd: root })
  expect(stdout).toBe(`npm run settings -- [options]

Writes docs/settings.md from the declared settings.

  --help  print this text
`)
  expect(stderr).toBe('')
})
