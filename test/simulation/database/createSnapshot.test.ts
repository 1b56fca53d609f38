import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { createSnapshot } from './createSnapshot.ts'

/** more than a segment of the write-ahead log, 16 MiB */
const writeSegment = 'insert into facts select repeat(md5(i::text), 30) from generate_series(1, 20000) i'

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
