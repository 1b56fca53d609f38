import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, test } from 'vitest'

const tables = join(import.meta.dirname, 'tables')
const meta = join(import.meta.dirname, 'migrations/meta')

test('the newest migration makes the database that the tables describe', async () => {
  const files = readdirSync(tables, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const modules = await Promise.all(files.map((file) => import(join(tables, file)) as Promise<Record<string, unknown>>))
  const { entries } = JSON.parse(readFileSync(join(meta, '_journal.json'), 'utf8')) as { entries: { idx: number }[] }
  const newest = String(entries.at(-1)?.idx).padStart(4, '0')
  const snapshot = JSON.parse(readFileSync(join(meta, `${newest}_snapshot.json`), 'utf8'))
  const described = generateDrizzleJson(Object.assign({}, ...modules), snapshot.id)
  expect(await generateMigration(snapshot, described)).toEqual([])
})
