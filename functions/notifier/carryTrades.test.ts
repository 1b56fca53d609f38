import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertCarriedTrades, selectTradesToCarry } from '#schema/queries/affiliate/carriedTrades.ts'
import { noEvents } from '#schema/queries/chain/chainUpdate.ts'
import { updateChain } from '#schema/queries/chain/updateChain.ts'
import { affiliates } from '#schema/tables/affiliate/affiliates.ts'
import { carriedTrades } from '#schema/tables/affiliate/carriedTrades.ts'
import { referredHours } from '#schema/tables/affiliate/referredHours.ts'
import { networks } from '#shared/networks.ts'
import { insertReferredTrade, newAffiliate } from '#test/helpers/database/referredTrade.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { carryTrades } from './carryTrades.ts'

const { chainId } = networks.base
let home: TestDatabase
let own: TestDatabase

beforeAll(async () => {
  ;[home, own] = await Promise.all([startTestDatabase(), startTestDatabase()])
})
afterAll(() => Promise.all([home?.close(), own?.close()]))

test('a copy that was read before a reorganisation does not bring undone trades back', async () => {
  await home.database.insert(affiliates).values(newAffiliate('FRIENDS'))
  const trade = {
    trader: `0x${'71'.repeat(20)}`,
    at: new Date('2026-06-01T12:00:00Z'),
    code: 'FRIENDS',
    chainId,
  } as const
  await insertReferredTrade(own.database, { ...trade, seed: 5 })
  await insertReferredTrade(own.database, { ...trade, seed: 9 })
  const late = await selectTradesToCarry(own.database, chainId, 10)
  await carryTrades(own.database, home.database, chainId)
  const read = async () => [
    (await home.database.select().from(carriedTrades)).map(({ blockNumber }) => blockNumber),
    (await home.database.select().from(referredHours)).map(({ lastBlock }) => lastBlock < 9),
  ]
  expect(await read()).toEqual([[5, 9], [false]])
  await updateChain(own.database, chainId, { ...noEvents, fromBlock: 9, toBlock: 8, undoFrom: 9 })
  await carryTrades(own.database, home.database, chainId)
  expect(await read()).toEqual([[5], [true]])
  await expect(insertCarriedTrades(home.database, chainId, late)).rejects.toThrow('of a later state')
  expect(await read()).toEqual([[5], [true]])
})
