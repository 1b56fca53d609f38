import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleWorkers } from '#tools/workers/bundleWorkers.ts'
import * as sources from '#tools/workers/describedWorkers.ts'
import { readWorkerConfigs } from '#tools/workers/readWorkerConfigs.ts'

/** `/openapi.json` of each Worker, as text. */
const findDocuments = async ({ describedWorkers, describedSharedWorkers }: typeof sources) => {
  const workers = Object.entries({ ...describedWorkers, ...describedSharedWorkers })
  const documents = workers.map(async ([group, fetch]) => {
    const response = await fetch(new Request('http://edgebook.local/openapi.json'))
    return [group, [response.status, await response.text()]] as const
  })
  return Object.fromEntries(await Promise.all(documents))
}

/** Parts that a bundle omits or replaces must not be in the document. */
test('bundled Workers describe their routes like their sources', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, '../../node_modules/.cache/document-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const main = join(import.meta.dirname, '../../tools/workers/describedWorkers.ts')
  const { described } = await bundleWorkers({ described: main }, folder)
  const bundled = await findDocuments((await import(described)) as typeof sources)
  expect(bundled).toEqual(await findDocuments(sources))
  expect(Object.values(bundled).map(([status]) => status)).toEqual(Object.keys(bundled).map(() => 200))
}, 120_000)

const importPattern = /(?:from|import)\s*["']([^"'\n]+)["']/g
const findImports = (text: string): string[] =>
  [...text.matchAll(importPattern)]
    .map(([, name = '']) => name)
    .filter((name) => /^(node|cloudflare):|^\.\//.test(name))

test('every Worker imports only modules of the runtime and those beside its bundle', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-'))
  onTestFinished(() => rm(dir, { recursive: true }))
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
