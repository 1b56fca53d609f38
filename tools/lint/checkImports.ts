import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeImportFaults } from './computeImportFaults.ts'
import { computeSharedFaults } from './computeSharedFaults.ts'
import { isSource, listTrackedFiles, root } from './listTrackedFiles.ts'

/** Refuses imports against the direction of the folders, and networks that are loaded too late. */
const sources = listTrackedFiles().filter(isSource)
const files = sources.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const faults = [...computeImportFaults(files), ...computeSharedFaults(files)]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
