import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeImportFaults } from './computeImportFaults.ts'
import { isSource, listTrackedFiles, root } from './listTrackedFiles.ts'

/** Refuses imports against the direction of the folders, and networks that are loaded too late. */
const sources = listTrackedFiles().filter(isSource)
const faults = computeImportFaults(sources.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })))
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
