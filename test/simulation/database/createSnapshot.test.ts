import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { createSnapshot } from './createSnapshot.ts'
import { createWireBackend } from './createWireBackend.ts'

/** more than a segment of the write-ahead log, 16 MiB */
const writeSegment = 'insert into facts select repeat(md5(i::text), 30) from generate_series(1, 20000) i'

test('rows, ids of transactions and tables are as before, more than once', async () => {
  const pglite = await PGlite.create('memory://')
  await pglite.exec('create table notes (id integer primary key, note text)')
  const revert = createSnapshot(pglite)
  const seen: unknown[] = []
  for (let run = 0; run < 3; run += 1) {
    revert()
    const backend = createWireBackend(pglite)
    const read = async (query: string) => (await backend.run({ query, params: [] })).rows
    expect(await read('select count(*) from notes')).toEqual([['0']])
    seen.push(await read('select pg_current_xact_id(), pg_current_wal_insert_lsn()'))
    await read(`insert into notes select i, repeat('x', 5000) from generate_series(1, 2000) i`)
    await read('create table others as select * from notes')
    await read('drop table others')
    await read('vacuum full notes')
    await read('checkpoint')
    expect(await read('select count(*) from notes')).toEqual([['2000']])
  }
  expect(seen[1]).toEqual(seen[0])
  expect(seen[2]).toEqual(seen[0])
  await pglite.close()
})

test('a database is as before, also after its log has moved to another file', async () => {
  const pglite = await PGlite.create('memory://')
  const readPosition = async () => (await pglite.query('select pg_current_wal_lsn() as position')).rows
  await pglite.exec('create table facts (text text)')
  const before = await readPosition()
  const revert = createSnapshot(pglite)
  for (let run = 0; run < 2; run += 1) {
    await pglite.exec(writeSegment)
    expect((await pglite.query('select count(*)::integer as rows from facts')).rows).toEqual([{ rows: 20_000 }])
    revert()
    expect(await readPosition()).toEqual(before)
    expect((await pglite.query('select * from facts')).rows).toEqual([])
  }
  await pglite.close()
})
