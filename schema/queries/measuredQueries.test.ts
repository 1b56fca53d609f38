import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const readAll = async (...patterns: string[]): Promise<string[]> => {
  const texts: string[] = []
  for await (const file of glob(patterns, { cwd: root })) texts.push(await readFile(join(root, file), 'utf8'))
  return texts
}

test('every query that a Worker or a tool runs is measured in a test', async () => {
  const texts = await readAll('schema/queries/**/*.ts')
  const exported = texts.flatMap((text) => [
    ...text.matchAll(/^export const (\w+)(?:: Change)? = (?:async )?\(\s*(?:database: Database|database,)/gm),
  ])
  const users = (await readAll('functions/**/*.ts', 'tools/**/*.ts')).join('\n')
  const queries = exported.flatMap(([, name = '']) => (new RegExp(`\\b${name}\\b`).test(users) ? [name] : []))
  const measured = new Set(
    texts.flatMap((text) => [...text.matchAll(/^\s*measureRows\(\s*(\w+)/gm)]).map(([, name]) => name),
  )
  expect(queries.length).toBeGreaterThan(100)
  // `runBatch` takes the statements of others
  expect(queries.filter((name) => !measured.has(name))).toEqual(['runBatch'])
})
