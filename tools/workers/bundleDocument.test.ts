import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleWorkers } from './bundleWorkers.ts'
import * as sources from './describedWorkers.ts'

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
  const main = join(import.meta.dirname, 'describedWorkers.ts')
  const { described } = await bundleWorkers({ described: main }, folder)
  const bundled = await findDocuments((await import(described)) as typeof sources)
  expect(bundled).toEqual(await findDocuments(sources))
  expect(Object.values(bundled).map(([status]) => status)).toEqual(Object.keys(bundled).map(() => 200))
}, 120_000)
