import { readdir, readFile } from 'node:fs/promises'

/** Of all threads of a process since it began. */
export type ProcessUsage = { cpuMs: number; memoryBytes: number }

/** of every Linux that Node runs on */
const pageBytes = 4096

/** @throws Error when there is no such process, or no /proc: then this is not Linux */
export const readProcessUsage = async (pid: number): Promise<ProcessUsage> => {
  try {
    const threads = await readdir(`/proc/${pid}/task`)
    // A thread may end while the others are read.
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
