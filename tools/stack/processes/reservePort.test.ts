import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reservePort } from './reservePort.ts'

const module = join(import.meta.dirname, 'reservePort.ts')

/** A process with a port, below those that are drawn. */
const startOwner = async (port: number) => {
  const script = `import(${JSON.stringify(module)}).then(({ reservePort }) => console.log(reservePort(${port})))
    process.stdin.on('end', () => process.exit()).resume()`
  const owner = spawn(process.execPath, ['--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [answer] = await once(owner.stdout, 'data')
  expect(String(answer)).toBe('true\n')
  return owner
}

test('a port is reserved once in a process', () => {
  expect(reservePort(14_990)).toBe(true)
  expect(reservePort(14_990)).toBe(false)
})

test('a port of another process is free once that one has ended', async () => {
  const owner = await startOwner(14_991)
  expect(reservePort(14_991)).toBe(false)
  owner.stdin.end()
  await once(owner, 'exit')
  expect(reservePort(14_991)).toBe(true)
})

test('a port of a killed process is free', async () => {
  const owner = await startOwner(14_992)
  expect(reservePort(14_992)).toBe(false)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(reservePort(14_992)).toBe(true)
})
