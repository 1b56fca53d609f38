import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { TokenMetadata } from '#schema/queries/tokens/tokenMetadata.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { getTokenMetadata } from './getTokenMetadata.ts'

const network = networks.sepolia
const usd: Address = '0x10000000000000000000000000000000000000aB'

const get = async (token: string, known: TokenMetadata = { firstTradeBlock: null, nativePrice: null }) => {
  const asked: Address[] = []
  const selectTokenMetadata = async (address: Address) => {
    asked.push(address)
    return known
  }
  const response = await getTokenMetadata({ network, selectTokenMetadata }).request(`/api/v1/token/${token}/metadata`)
  return { status: response.status, cache: response.headers.get('Cache-Control'), body: await response.json(), asked }
}

test('a traded token: its first block, and its price with every digit', async () => {
  expect(await get(usd, { firstTradeBlock: 42, nativePrice: 2n ** 200n })).toEqual({
    status: 200,
    cache: 'public, max-age=60, stale-while-revalidate=300',
    body: { firstTradeBlock: 42, nativePrice: (2n ** 200n).toString() },
    asked: [usd.toLowerCase()],
  })
})

test('a token without trades returns nulls', async () => {
  expect(await get(usd)).toMatchObject({ status: 200, body: { firstTradeBlock: null, nativePrice: null } })
})

test.each([nativeSentinel, network.wrappedNative])('%s is worth one', async (token) => {
  const nativePrice = '1000000000000000000'
  expect((await get(token)).body).toEqual({ firstTradeBlock: null, nativePrice })
  expect((await get(token, { firstTradeBlock: 7, nativePrice: 3n })).body).toEqual({ firstTradeBlock: 7, nativePrice })
})

test('rejects a malformed address without a query', async () => {
  expect(await get('0x12')).toMatchObject({
    status: 400,
    cache: 'no-store',
    body: { errorType: 'InvalidParameter', data: { field: 'token', got: '0x12' } },
    asked: [],
  })
})
