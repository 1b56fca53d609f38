import { PGlite } from '@electric-sql/pglite'
import { dataDir } from '@electric-sql/pglite-prepopulatedfs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWireBackend } from './createWireBackend.ts'
import type { SqlBackend } from './sqlBackend.ts'

const mode = { isolationLevel: 'SERIALIZABLE', readOnly: false, deferrable: false }
const plain = (query: string) => ({ query, params: [] })

let pglite: PGlite
let backend: SqlBackend

beforeAll(async () => {
  pglite = await PGlite.create({ dataDir: 'memory://', loadDataDir: await dataDir() })
  await pglite.exec('create table notes (id integer primary key, note text)')
  backend = createWireBackend(pglite)
  for (const id of ['1', '2']) await backend.run(insert(id, null))
}, 120_000)
afterAll(() => pglite.close())

const insert = (id: string, note: string | null) => ({ query: 'insert into notes values ($1, $2)', params: [id, note] })
const countNotes = async () => (await backend.run(plain('select count(*) from notes'))).rows[0]?.[0]

describe('statements in messages of the protocol', () => {
  test('a statement fails with the fields of the error, and the next one works', async () => {
    await expect(backend.run(insert('1', null))).rejects.toMatchObject({
      ...{ severity: 'ERROR', code: '23505', table: 'notes', constraint: 'notes_pkey' },
      detail: 'Key (id)=(1) already exists.',
    })
    await expect(backend.run(plain('selec'))).rejects.toMatchObject({ code: '42601' })
    await expect(backend.run({ query: 'select $1::integer', params: ['x'] })).rejects.toMatchObject({ code: '22P02' })
    expect(await countNotes()).toBe('2')
  })

  test('statements of a batch have all their effects or none', async () => {
    const results = await backend.runBatch([insert('3', null), plain('show transaction_isolation')], mode)
    expect(results.map(({ command }) => command)).toEqual(['INSERT', 'SHOW'])
    expect(results[1]?.rows).toEqual([['serializable']])
    await expect(backend.runBatch([insert('4', null), insert('3', null)], mode)).rejects.toMatchObject({
      code: '23505',
    })
    expect(await countNotes()).toBe('3')
    const reader = { ...mode, readOnly: true }
    await expect(backend.runBatch([insert('5', null)], reader)).rejects.toMatchObject({ code: '25006' })
  })

  test('a statement of a batch uses the table that an earlier one created', async () => {
    const [, inserted, read] = await backend.runBatch(
      [plain('create table marks (mark text)'), plain("insert into marks values ('a')"), plain('select * from marks')],
      mode,
    )
    expect(inserted).toMatchObject({ command: 'INSERT', rowCount: 1 })
    expect(read).toMatchObject({ fields: [{ name: 'mark', dataTypeID: 25 }], rows: [['a']] })
  })

  test('a thousand statements that run twice leave at most 501 prepared ones', async () => {
    for (let i = 0; i < 2_000; i += 1) await backend.run(plain(`select ${i % 1_000} as number`))
    const { rows } = await backend.run(plain('select count(*) from pg_prepared_statements'))
    // 500, and one of another test that failed when it was prepared
    expect(Number(rows[0]?.[0])).toBeLessThanOrEqual(501)
    expect((await backend.run(plain('select 777 as number'))).rows).toEqual([['777']])
  })

  test('statements are planned again after ten thousand', async () => {
    const countPrepared = async () =>
      Number((await backend.run(plain('select count(*) from pg_prepared_statements'))).rows[0]?.[0])
    const before = await countPrepared()
    for (let i = 0; i < 10_000; i += 1) await backend.run(plain(`select ${i} as number`))
    expect(before - (await countPrepared())).toBeGreaterThan(400)
  })
})
