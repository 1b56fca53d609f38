import type { MemoryUse } from './readMemory.ts'

/** Live bytes of all heaps of a process after a collection. */
export const sumHeaps = ({ collected }: MemoryUse): number =>
  Object.values(collected?.heaps ?? {}).reduce((sum, live) => sum + live, 0)
