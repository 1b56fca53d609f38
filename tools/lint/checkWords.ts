import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeWordFaults } from './computeWordFaults.ts'
import { listTrackedFiles, root } from './listTrackedFiles.ts'

/** Texts that are still to be rewritten. Entries are only removed, never added. */
const pending = ['functions/auctions/settings.ts']

/** History, generated and legal texts, and the list of the words. */
const exempt = ['CHANGELOG.md', 'LICENSE', 'package-lock.json', 'schema/migrations/', 'tools/lint/computeWordFaults']

/** Refuses banned words in tracked files. Prints clean entries of `pending`, which should be removed. */
const main = (): boolean => {
  const isBelow = (path: string, entries: readonly string[]) => entries.some((entry) => path.startsWith(entry))
  const faultsOf = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return text.includes('\0') ? [] : computeWordFaults({ path, text })
    })
  const checked = listTrackedFiles().filter((path) => !isBelow(path, exempt))
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
