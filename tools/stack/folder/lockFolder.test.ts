import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { lockFolder } from './lockFolder.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lock-'))
})

afterEach(() => rm(dir, { recursive: true }))

test('takes over the lock of a dead process', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  await writeFile(join(dir, 'lock'), `${child.pid} 1`)
  await (await lockFolder(dir))()
})

test.runIf(process.platform === 'linux')('takes over a lock whose process id was reused', async () => {
  await writeFile(join(dir, 'lock'), `${process.pid} 1`)
  await (await lockFolder(dir))()
})
