import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './isRunning.ts'

/** One file for each reserved port, with the id of its process. */
const sharedFolder = join(tmpdir(), `edgebook-ports-${userInfo().uid}`)
/** files of this process */
const own = new Set<string>()

/**
 * Reserves a port for this process until it ends, against all processes of the user that reserve here.
 * @param folder of the processes that share ports; a test has its own
 * @returns false when it is reserved already
 */
export const reservePort = (port: number, folder = sharedFolder): boolean => {
  const file = join(folder, String(port))
  mkdirSync(folder, { recursive: true })
  if (isStale(file)) rmSync(file, { force: true })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  if (own.size === 0) process.once('exit', release)
  own.add(file)
  return true
}

const release = (): void => {
  for (const file of own) rmSync(file, { force: true })
}

/** A process that was killed leaves its files. An empty one is being written. */
const isStale = (file: string): boolean => {
  const owner = readOwner(file)
  return owner !== '' && !isRunning(Number(owner))
}

const readOwner = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
