import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes everything that a stack stores; other files in the folder stay. */
const parts = ['chain', 'database', 'durable', 'workers', 'logs', 'stack.json']

export const emptyFolder = async (dir: string): Promise<void> => {
  await Promise.all(parts.map((part) => rm(join(dir, part), { recursive: true, force: true })))
}
