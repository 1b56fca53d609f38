import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeWordFaults } from './computeWordFaults.ts'
import { listTrackedFiles, root } from './listTrackedFiles.ts'

/** History, generated and legal texts, and the list of the words. */
const exempt = ['CHANGELOG.md', 'LICENSE', 'package-lock.json', 'schema/migrations/', 'tools/lint/computeWordFaults']

/** Refuses banned words in all files of the repository. */
const main = (): boolean => {
  const checked = listTrackedFiles().filter((path) => !exempt.some((entry) => path.startsWith(entry)))
  const faults = checked.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return text.includes('\0') ? [] : computeWordFaults({ path, text })
  })
  for (const fault of faults)
    console.error(`${fault}: rephrase with a concrete subject (client, caller, owner, operator)`)
  return faults.length === 0
}

process.exitCode = main() ? 0 : 1
