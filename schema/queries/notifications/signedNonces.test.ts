import { afterAll, expect, test } from 'vitest'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { deleteExpiredNonces, takeMailSlot } from './signedNonces.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

test('a mailbox gets three mails an hour, however its address is written', async () => {
  const spellings = [
    'jane.doe@example.com',
    'Jane.Doe@example.com',
    'jane.doe+1@example.com',
    'jane.doe+2+3@example.com',
    'janedoe@example.com',
    'j.a.n.e.d.o.e+4@EXAMPLE.com',
  ]
  const taken: boolean[] = []
  for (const address of spellings) taken.push(await takeMailSlot(database, address))
  expect(taken).toEqual([true, true, true, false, false, false])
  expect(await takeMailSlot(database, 'jane.doe@example.org')).toBe(true)
  expect(await takeMailSlot(database, 'john.doe@example.com')).toBe(true)
  expect(await takeMailSlot(database, '+1@example.com')).toBe(true)
})

measureRows(deleteExpiredNonces, (database) => deleteExpiredNonces(database))
measureRows(takeMailSlot, (database) => takeMailSlot(database, 'reader@example.com'))
