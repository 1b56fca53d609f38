import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmptyBackend } from '#test/helpers/database/server/openEmptyBackend.ts'
import { checkSameChain } from './checkSameChain.ts'
import { resetDatabase } from './resetDatabase.ts'
import type { SqlBackend } from './sqlBackend.ts'

let backend: SqlBackend

beforeEach(async () => {
  backend = await openEmptyBackend()
})

afterEach(() => backend.close())

test('accepts only the chain of the database until a reset', async () => {
  await expect(checkSameChain(backend, { firstBlock: '0x01', isNew: false })).rejects.toThrow(
    'database of this stack is lost',
  )
  await checkSameChain(backend, { firstBlock: '0x01', isNew: true })
  await checkSameChain(backend, { firstBlock: '0x01', isNew: false })
  await expect(checkSameChain(backend, { firstBlock: '0x02', isNew: true })).rejects.toThrow(
    'chain of this stack is lost',
  )
  await expect(checkSameChain(backend, { firstBlock: '0x02', isNew: false })).rejects.toThrow('another chain')
  await backend.run({ query: 'create table orders (uid bytea)', params: [] })
  await resetDatabase(backend)
  await backend.run({ query: 'create table orders (uid bytea)', params: [] })
  await expect(resetDatabase(backend)).rejects.toThrow('tables that no stack made')
})
