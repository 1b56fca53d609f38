import type { Platform } from '../platform/startPlatform.ts'
import { readProcessUsage } from '../workerd/readProcessUsage.ts'

/** Memory of a process, bytes. */
export type MemoryUse = {
  /** before a collection: includes garbage */
  resident: number
  /** of a workerd, after a collection */
  collected?: {
    /** Worker → live heap */
    heaps: Record<string, number>
    /** program, native memory of requests, streams and sockets, buffers: everything but heap pages */
    outside: number
  }
}

/** By process; `database` is this process with the database endpoint or the embedded database. */
export const readMemory = async (platform: Platform): Promise<Record<string, MemoryUse>> => {
  const pids = { ...platform.processes, database: process.pid }
  const before = await readResident(pids)
  const collected: Record<string, MemoryUse['collected']> = {}
  const heapsOf = await platform.collectHeaps()
  const after = await readResident(pids)
  for (const [name, heaps] of Object.entries(heapsOf)) {
    const reserved = Object.values(heaps).reduce((sum, heap) => sum + heap.reserved, 0)
    collected[name] = {
      heaps: Object.fromEntries(Object.entries(heaps).map(([worker, { live }]) => [worker, live])),
      outside: (after[name] ?? 0) - reserved,
    }
  }
  return Object.fromEntries(
    Object.entries(before).map(([name, resident]) => [
      name,
      { resident, ...(collected[name] && { collected: collected[name] }) },
    ]),
  )
}

const readResident = async (pids: Readonly<Record<string, number>>): Promise<Record<string, number>> => {
  const read = Object.entries(pids).map(
    async ([name, pid]) => [name, (await readProcessUsage(pid)).memoryBytes] as const,
  )
  return Object.fromEntries(await Promise.all(read))
}

/** Live bytes of all heaps of a process after a collection. */
export const sumHeaps = ({ collected }: MemoryUse): number =>
  Object.values(collected?.heaps ?? {}).reduce((sum, live) => sum + live, 0)
