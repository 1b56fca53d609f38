import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { connectNetworkDatabases } from './connectNetworkDatabases.ts'
import { insertPriceSamples, selectPriceSamples } from './queries/markets/priceSamples.ts'

const { base, sepolia } = networks
const nowSeconds = Date.parse('2026-11-01T00:00:00Z') / 1_000

let shared: TestDatabase
let own: TestDatabase

beforeAll(async () => {
  ;[shared, own] = await Promise.all([startTestDatabase(), startTestDatabase()])
})
afterAll(() => Promise.all([shared.close(), own.close()]))

test('price samples are written to and read from the database of their network', async () => {
  const databaseOf = connectNetworkDatabases({
    DATABASE_URL: shared.databaseUrl,
    DATABASE_URLS: new Map([['base', own.databaseUrl]]),
  })
  for (const network of [sepolia, base]) {
    const price = { token: network.wrappedNative, price: 2_000 }
    await insertPriceSamples(databaseOf(network.chainId), network, [price], nowSeconds)
  }
  const count = async ({ database }: TestDatabase, { chainId, wrappedNative }: typeof base | typeof sepolia) =>
    (await selectPriceSamples(database, chainId, [wrappedNative], nowSeconds - 1)).length
  expect([await count(shared, sepolia), await count(own, base)]).toEqual([1, 1])
  expect([await count(shared, base), await count(own, sepolia)]).toEqual([0, 0])
})
