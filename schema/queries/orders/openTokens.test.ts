import { eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { orders } from '../../tables/orders/orders.ts'
import { selectOpenTokens } from './openTokens.ts'
import { insertOrder } from './orders.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

const addressOf = (digits: string): Address => `0x${digits.repeat(20)}`
const [one, two, three] = [addressOf('a1'), addressOf('a2'), addressOf('a3')]
const place = (seed: number, owner: Address, sellToken: Address, buyToken: Address) =>
  insertOrder(database, { ...newOrder(seed), owner, sellToken, buyToken })

test('the tokens of open orders are those of each account, without ended orders and orders of others', async () => {
  const { chainId } = newOrder(1)
  await place(1, one, addressOf('01'), addressOf('02'))
  await place(2, one, addressOf('03'), addressOf('01'))
  await place(3, one, addressOf('04'), addressOf('05'))
  await place(4, two, addressOf('06'), addressOf('07'))
  await place(5, three, addressOf('08'), addressOf('09'))
  await database
    .update(orders)
    .set({ cancelledAt: new Date() })
    .where(eq(orders.uid, orderUidOf(3)))
  const list = async (accounts: Address[], of = chainId) =>
    (await selectOpenTokens(database, of, accounts)).map(
      ({ account, token }) => `${account.slice(-2)} ${token.slice(-2)}`,
    )
  expect(new Set(await list([one]))).toEqual(new Set(['a1 01', 'a1 02', 'a1 03']))
  expect(new Set(await list([one, two]))).toEqual(new Set(['a1 01', 'a1 02', 'a1 03', 'a2 06', 'a2 07']))
  expect(await list([])).toEqual([])
  expect(await list([addressOf('a4')])).toEqual([])
  expect(await list([one], chainId + 1)).toEqual([])
})

measureRows(selectOpenTokens, (database, h) => selectOpenTokens(database, h.chainId, [h.busyOwner, h.onchainUser]))
