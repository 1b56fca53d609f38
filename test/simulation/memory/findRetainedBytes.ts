import { computeRetainedBytes } from './computeRetainedBytes.ts'
import { createHeapGraph } from './createHeapGraph.ts'
import { HeapMark } from './findHeapRoots.ts'
import { readHeapSnapshot } from './readHeapSnapshot.ts'

/** A part of the service, with the objects through which it retains memory. */
export type MemoryHolder = { name: string; kept: readonly object[] }

const root = new URL('../../..', import.meta.url).href
const packages = '/node_modules/'
const folders = /^(functions|schema|shared)\//

/** Modules of the service and packages, except the database. Those with a deliberate fault would count once for each fault. */
const isOfService = (url: string): boolean =>
  !url.includes('?') &&
  (url.includes(packages)
    ? !url.includes(`${packages}@electric-sql/`)
    : url.startsWith(root) && folders.test(url.slice(root.length)))

/**
 * Bytes that each part of the service retains, and those that the loaded modules retain for all.
 * @throws Error when the heap snapshot lacks one
 */
export const findRetainedBytes = async (holders: readonly MemoryHolder[]): Promise<ReadonlyMap<string, number>> => {
  const marks = holders.map(({ name, kept }) => new HeapMark(name, kept))
  const found = computeRetainedBytes(createHeapGraph(await readHeapSnapshot()), isOfService)
  for (const { name } of marks) if (!found.has(name)) throw new Error(`the heap snapshot lacks ${name}`)
  return found
}
