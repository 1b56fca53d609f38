import type { LoadResult } from '../load/startLoadGenerator.ts'
import type { MemoryUse } from './readMemory.ts'

/** Results of one interval of the soak. */
export type SoakInterval = {
  /** end of the interval, seconds since the start */
  at: number
  kinds: Record<string, LoadResult>
  streams: { open: number; events: number; ended: number; refused: number }
  /** by process */
  memory: Record<string, MemoryUse>
}
