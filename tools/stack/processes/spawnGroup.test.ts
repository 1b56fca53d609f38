import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SpawnGroupOptions, spawnGroup } from './spawnGroup.ts'
import { type Reaper, startReaper } from './startReaper.ts'
import { waitUntil } from './waitUntil.ts'

/** A child that starts a grandchild, prints its pid and stays. */
const family = `const { spawn } = require('node:child_process')
console.log(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid)
setInterval(() => {}, 1000)`

let dir: string
let reaper: Reaper

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'group-'))
  reaper = startReaper()
})

afterAll(async () => {
  reaper.close()
  await rm(dir, { recursive: true })
})

const start = (script: string, options: Partial<SpawnGroupOptions> = {}) =>
  spawnGroup({
    name: 'child',
    command: process.execPath,
    args: ['-e', script],
    env: {},
    logFile: join(dir, 'log'),
    reaper,
    ...options,
  })

const startFamily = async () => {
  const printed = Promise.withResolvers<number>()
  const group = await start(family, { log: (line) => printed.resolve(Number(line)) })
  return { group, grandchild: await printed.promise }
}

/** Uncollected zombies do not run. */
const isRunning = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  if (process.platform === 'linux') return stat !== '' && !/\) Z /.test(stat)
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const expectGone = (...pids: number[]) =>
  waitUntil('the group is gone', async () => !(await Promise.all(pids.map(isRunning))).includes(true), {
    timeoutMs: 30_000,
  })

test.each(['stop', 'kill'] as const)('ends the child and its descendants by %s, without a failure', async (how) => {
  const { group, grandchild } = await startFamily()
  expect(await isRunning(grandchild)).toBe(true)
  await group[how]()
  await expectGone(group.pid, grandchild)
  expect(await group.ended).toBeUndefined()
})

test('kills a child that ignores SIGTERM', async () => {
  const ready = Promise.withResolvers<void>()
  const group = await start(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`, {
    log: () => ready.resolve(),
  })
  await ready.promise
  await group.stop(200)
  await expectGone(group.pid)
})

test('ends the descendants of a child that exits, and reports the reason', async () => {
  const { group, grandchild } = await startFamily()
  process.kill(group.pid, 'SIGKILL')
  expect(await group.ended).toMatch(/^child was killed by SIGKILL/)
  await expectGone(grandchild)
  const failing = await start(`console.error('no such thing'); process.exit(3)`)
  expect(await failing.ended).toMatch(/^child ended with code 3: no such thing/)
  expect(await readFile(join(dir, 'log'), 'utf8')).toContain('no such thing')
})

test('rejects an unknown command with one error', async () => {
  await expect(start('', { command: '/nonexistent' })).rejects.toThrow(
    'child cannot be started: spawn /nonexistent ENOENT',
  )
})
