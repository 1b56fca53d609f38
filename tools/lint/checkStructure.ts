import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeDuplicateExports } from './computeDuplicateExports.ts'
import { computeFolderFaults } from './computeFolderFaults.ts'
import { computeImportFaults } from './computeImportFaults.ts'
import { computeSharedFaults } from './computeSharedFaults.ts'
import { isSource, listTrackedFiles, root } from './listTrackedFiles.ts'

/** Refuses overfull folders, names that several files export, networks that are loaded too late, and imports against the order of `shared/`. */
const main = (): boolean => {
  const sources = listTrackedFiles().filter(isSource)
  const files = sources.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const isConsole = ({ path }: { path: string }) => path.startsWith('console/')
  const faults = [
    ...computeFolderFaults(sources),
    ...computeImportFaults(files),
    ...computeSharedFaults(files),
    // the console knows only the public API and has its own words for it
    ...computeDuplicateExports(files.filter(isConsole)),
    ...computeDuplicateExports(files.filter((file) => !isConsole(file))),
  ]
  for (const fault of faults) console.error(fault)
  return faults.length === 0
}

process.exitCode = main() ? 0 : 1
