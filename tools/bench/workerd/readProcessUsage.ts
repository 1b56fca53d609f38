import { readdir, readFile } from 'node:fs/promises'

/** Usage of all threads of a process since its start. */
export type ProcessUsage = { cpuMs: number; memoryBytes: number }

/** clock ticks per second of every Linux that Node supports */
const pageBytes = 4096

/** @throws Error when the process does not exist, or without /proc: then this is not Linux */
export const readProcessUsage = async (pid: number): Promise<ProcessUsage> => {
  try {
    const threads = await readdir(`/proc/${pid}/task`)
    // A thread may end during the read.
    const times = await Promise.all(
      threads.map((id) => readFile(`/proc/${pid}/task/${id}/schedstat`, 'utf8').catch(() => '0')),
    )
    const memory = await readFile(`/proc/${pid}/statm`, 'utf8')
    return {
      cpuMs: times.reduce((sum, text) => sum + Number.parseInt(text, 10), 0) / 1e6,
      memoryBytes: Number(memory.split(' ')[1]) * pageBytes,
    }
  } catch (error) {
    throw new Error(`process ${pid} cannot be measured: ${error instanceof Error ? error.message : error}`)
  }
}
