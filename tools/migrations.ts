import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { makeOnline } from './migrations/makeOnline.ts'

const command = {
  run: 'npm run migrations',
  about: `Generates the migration for a change in schema/tables, and rewrites it so that no write waits for it.
npm run lint says what has to be changed by hand.`,
  positionals: { '<name>': 'of the migration' },
  options: {
    custom: { type: 'boolean', default: false, about: 'an empty migration, for SQL that the tables do not show' },
  },
} as const

const root = join(import.meta.dirname, '..')
const folder = join(root, 'schema/migrations')
const listMigrations = (): string[] => readdirSync(folder).filter((file) => file.endsWith('.sql'))

const main = (): void => {
  const { values, positionals } = readCommand(command)
  const [name, ...others] = positionals
  if (!name || others.length > 0) throw new Error(`${command.run} -- <name>; see --help`)
  const before = new Set(listMigrations())
  const custom = values.custom ? ['--custom'] : []
  const args = ['drizzle-kit', 'generate', '--config', 'schema/drizzle.config.ts', '--name', name, ...custom]
  execFileSync('npx', args, { cwd: root, stdio: 'inherit' })
  for (const file of listMigrations().filter((path) => !before.has(path))) {
    const path = join(folder, file)
    writeFileSync(path, makeOnline(readFileSync(path, 'utf8')))
  }
  removeOldSnapshots()
}

/** The next migration is the difference to the newest snapshot alone. */
const removeOldSnapshots = (): void => {
  const snapshots = readdirSync(join(folder, 'meta')).filter((file) => file.endsWith('_snapshot.json'))
  for (const file of snapshots.toSorted().slice(0, -1)) rmSync(join(folder, 'meta', file))
}

await runMain(main)
