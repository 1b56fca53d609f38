import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleWorkers } from './bundleWorkers.ts'
import { readWorkerConfigs } from './readWorkerConfigs.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-'))
})
afterEach(() => rm(dir, { recursive: true }))

const importPattern = /(?:from|import)\s*["']([^"'\n]+)["']/g
const findImports = (text: string): string[] =>
  [...text.matchAll(importPattern)]
    .map(([, name = '']) => name)
    .filter((name) => /^(node|cloudflare):|^\.\//.test(name))

test('every Worker imports only modules of the runtime and those beside its bundle', async () => {
  const configs = await readWorkerConfigs(join(import.meta.dirname, '../..'))
  const mains = Object.fromEntries(Object.entries(configs).map(([group, { main }]) => [group, main]))
  const bundles = await bundleWorkers(mains, dir)
  const texts = await Promise.all(Object.values(bundles).map((bundle) => readFile(bundle, 'utf8')))
  // `nodejs_compat` has these without polyfills
  const known = ['./secp256k1.wasm', 'cloudflare:workers', 'node:async_hooks', 'node:crypto']
  expect([...new Set(texts.flatMap(findImports))].sort()).toEqual(known)
  const files = await Promise.all(Object.values(bundles).map((bundle) => readdir(dirname(bundle))))
  const withModules = Object.keys(bundles).filter((_, i) => files[i]?.includes('secp256k1.wasm'))
  expect(withModules).toEqual(['orders'])
  expect(files.flat()).toHaveLength(Object.keys(bundles).length + 1)
  // one of the messages that zod has in fifty languages
  for (const text of texts) expect(text).not.toContain('Ungültige Eingabe')
})

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
