import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reservePort } from './reservePort.ts'

const module = join(import.meta.dirname, 'reservePort.ts')
const port = 14_990

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'edgebook-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A process with the port. */
const startOwner = async () => {
  const script = `import(${JSON.stringify(module)})
      .then(({ reservePort }) => console.log(reservePort(${port}, ${JSON.stringify(folder)})))
    process.stdin.resume()`
  const owner = spawn(process.execPath, ['--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [answer] = await once(owner.stdout, 'data')
  expect(String(answer)).toBe('true\n')
  return owner
}

test('a port is reserved once in a process', () => {
  expect(reservePort(port, folder)).toBe(true)
  expect(reservePort(port, folder)).toBe(false)
})

test('a port of a killed process is free', async () => {
  const owner = await startOwner()
  expect(reservePort(port, folder)).toBe(false)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(reservePort(port, folder)).toBe(true)
})
