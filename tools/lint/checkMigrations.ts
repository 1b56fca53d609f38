import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTrackedFiles, root } from './listTrackedFiles.ts'
import { computeMigrationFaults } from './migrations/computeMigrationFaults.ts'

/** Refuses migrations that stop writes or remove what is in use. */
const main = (): boolean => {
  const migrations = listTrackedFiles().filter((path) => /^schema\/migrations\/[^/]+\.sql$/.test(path))
  const faults = migrations.flatMap((path) => computeMigrationFaults(path, readFileSync(join(root, path), 'utf8')))
  for (const fault of faults) console.error(fault)
  return faults.length === 0
}

process.exitCode = main() ? 0 : 1
