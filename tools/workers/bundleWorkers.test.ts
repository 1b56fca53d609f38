import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleWorkers } from './bundleWorkers.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-'))
})
afterEach(() => rm(dir, { recursive: true }))

const write = async (path: string, text: string): Promise<string> => {
  await mkdir(dirname(join(dir, path)), { recursive: true })
  await writeFile(join(dir, path), text)
  return join(dir, path)
}

test('an import that does not exist is named with its place', async () => {
  const main = await write('one/index.ts', "import './nowhere.ts'\n")
  await expect(bundleWorkers({ one: main }, join(dir, 'out'))).rejects.toThrow(
    /one\/index\.ts:1:7: ERROR: .*nowhere\.ts/,
  )
})

test('two WebAssembly modules of one name are refused', async () => {
  await write('a/same.wasm', '')
  await write('b/same.wasm', '')
  const main = await write(
    'index.ts',
    "import a from './a/same.wasm'\nimport b from './b/same.wasm'\nexport default [a, b]\n",
  )
  await expect(bundleWorkers({ one: main }, join(dir, 'out'))).rejects.toThrow('has the same name as')
})
