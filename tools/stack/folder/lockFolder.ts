import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning } from '../processes/isRunning.ts'

/**
 * Keeps a second stack out of a folder; takes over the lock of a dead process.
 * @returns function that releases the folder
 * @throws Error naming the process that holds it
 */
export const lockFolder = async (dir: string): Promise<() => Promise<void>> => {
  const file = join(dir, 'lock')
  const claim = `${file}.${randomUUID()}`
  await writeFile(claim, describeProcess(process.pid))
  try {
    while (!(await linkOnce(claim, file))) await removeStaleLock(dir, file)
  } finally {
    await rm(claim)
  }
  return () => rm(file, { force: true })
}

/** @returns whether the lock was taken: a link appears with its content, or not at all */
const linkOnce = async (claim: string, file: string): Promise<boolean> => {
  try {
    await link(claim, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

const removeStaleLock = async (dir: string, file: string): Promise<void> => {
  const owner = await readFile(file, 'utf8').catch(() => '')
  const pid = Number.parseInt(owner, 10)
  if (isRunning(pid) && owner === describeProcess(pid))
    throw new Error(`process ${pid} runs a stack in ${dir}: stop it, or choose another folder with --dir`)
  await rm(file, { force: true })
}

/** The process id and, where available, the start of the process: ids are reused. */
const describeProcess = (pid: number): string => `${pid} ${readStartTime(pid)}`

/** Field 22 of /proc/<pid>/stat, after the command in parentheses; empty on other systems. */
const readStartTime = (pid: number): string => {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? ''
    )
  } catch {
    return ''
  }
}
