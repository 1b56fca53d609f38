import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeWordFaults } from './computeWordFaults.ts'

/** Texts that are still to be rewritten. Entries are only removed, never added. */
const pending = [
  'docs/parity.md',
  'functions/auctions/',
  'functions/debug/',
  'functions/markets/',
  'functions/orders/',
  'functions/quotes/',
  'functions/solver/',
  'shared/appData/',
  'shared/chain/',
  'shared/networks.ts',
  'shared/orders/',
  'shared/solvers/',
  'shared/tokens/',
  'shared/withDeadline.ts',
]

/** History, generated and legal texts, and the list of the words. */
const exempt = ['CHANGELOG.md', 'LICENSE', 'package-lock.json', 'schema/migrations/', 'tools/lint/computeWordFaults']

const root = join(import.meta.dirname, '../..')

/** Refuses banned words in tracked files. Prints clean entries of `pending`, which should be removed. */
const main = (): boolean => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  const isBelow = (path: string, entries: readonly string[]) => entries.some((entry) => path.startsWith(entry))
  const faultsOf = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const file = join(root, path)
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      return text.includes('\0') ? [] : computeWordFaults({ path, text })
    })
  const checked = tracked.filter((path) => !isBelow(path, exempt))
  const faults = faultsOf(checked.filter((path) => !isBelow(path, pending)))
  for (const fault of faults)
    console.error(`${fault}: rephrase with a concrete subject (client, caller, owner, operator)`)
  for (const entry of pending) {
    const isClean = faultsOf(checked.filter((path) => path.startsWith(entry))).length === 0
    if (isClean) console.log(`${entry} is clean: remove it from pending in tools/lint/checkWords.ts`)
  }
  return faults.length === 0
}

process.exitCode = main() ? 0 : 1
