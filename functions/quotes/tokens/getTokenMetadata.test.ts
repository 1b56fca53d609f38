import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentAuctions } from '#schema/tables/auctions/auctions.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { insertSettledTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getTokenMetadata } from './getTokenMetadata.ts'

const network = networks.sepolia
const { chainId, wrappedNative } = network
const usd: Address = '0x10000000000000000000000000000000000000aB'
const { database, close } = await startTestDatabase()
afterAll(close)

beforeAll(async () => {
  const token = usd.toLowerCase() as Address
  await insertSettledTrade(database, 42, { sellToken: token, buyToken: wrappedNative })
  await insertSettledTrade(database, 7, { sellToken: nativeSentinel, buyToken: token })
  const prices = { [token]: String(2n ** 200n), [wrappedNative]: '3' }
  await database.insert(currentAuctions).values({ chainId, id: 1, block: 43, prices })
})

const get = async (token: string, of = network) => {
  const response = await getTokenMetadata({ database, network: of }).request(`/api/v1/token/${token}/metadata`)
  return { status: response.status, cache: response.headers.get('Cache-Control'), body: await response.json() }
}

test('a traded token has its first block, and its price with every digit', async () => {
  expect(await get(usd)).toEqual({
    status: 200,
    cache: 'public, max-age=60, stale-while-revalidate=300',
    body: { firstTradeBlock: 7, nativePrice: (2n ** 200n).toString() },
  })
})

test('a token without trades returns nulls', async () => {
  expect(await get(`0x${'0e'.repeat(20)}`)).toMatchObject({
    status: 200,
    body: { firstTradeBlock: null, nativePrice: null },
  })
})

test.each([
  [nativeSentinel, networks.sepolia, 7],
  [wrappedNative, networks.sepolia, 42],
  [nativeSentinel, networks.gnosis, null],
  [networks.gnosis.wrappedNative, networks.gnosis, null],
])('%s is worth one, with and without trades', async (token, of, firstTradeBlock) => {
  expect((await get(token, of)).body).toEqual({ firstTradeBlock, nativePrice: '1000000000000000000' })
})

test('rejects a malformed address', async () => {
  expect(await get('0x12')).toMatchObject({
    status: 400,
    cache: 'no-store',
    body: { errorType: 'InvalidParameter', data: { field: 'token', got: '0x12' } },
  })
})
