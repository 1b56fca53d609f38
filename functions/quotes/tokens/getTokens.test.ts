import type { Address } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import type { TokenDetails } from '#shared/tokens/tokenDetails.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newSettlement, newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import type { DescribeTokens } from './findOfferedTokens.ts'
import { type GetTokensDeps, getTokens } from './getTokens.ts'

const network = networks.sepolia
const usd = network.usdReference.address
const token = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const decimals = 18

const { database, close } = await startTestDatabase()
beforeEach(() => emptyDatabase(database))
afterAll(close)

/** Stores a trade of each token for the dollar. */
const storeTrades = async (tokens: Address[]) => {
  const { chainId } = network
  await database.insert(settlements).values({ chainId, ...newSettlement(1, { logIndex: 1_000 }) })
  const place = { settlementLogIndex: 1_000, buyToken: usd }
  const rows = tokens.map((sellToken, logIndex) => newTrade(1, { ...place, sellToken, logIndex }))
  await database.insert(trades).values(rows.map((row) => ({ chainId, ...row })))
}

const get = async (changes: Partial<GetTokensDeps> = {}) => {
  const requested: Address[] = []
  const deps: GetTokensDeps = {
    database,
    network,
    listedTokens: [],
    unsupportedTokens: new Set(),
    findTokenDetails: async (tokens) => {
      requested.push(...tokens)
      return tokens.map((address): TokenDetails => ({ address, decimals }))
    },
    ...changes,
  }
  const response = await getTokens(deps).request('/api/v1/tokens')
  const body = (await response.json()) as { address: Address }[]
  return { status: response.status, cache: response.headers.get('Cache-Control'), body, requested }
}

const addressesOf = ({ body }: { body: { address: Address }[] }) => body.map(({ address }) => address)

test('lists wrapped native token and dollar, then the listed tokens, then others with most trades first, each once', async () => {
  await storeTrades([token(1), network.wrappedNative, token(3), token(5), token(5)])
  const response = await get({ listedTokens: [token(2), usd, token(1)] })
  expect(response).toMatchObject({ status: 200, cache: 'public, max-age=300, stale-while-revalidate=3600' })
  expect(addressesOf(response)).toEqual([network.wrappedNative, usd, token(2), token(1), token(5), token(3)])
})

test('lists tokens as their contracts describe them, without tokens that lack decimals or are not tokens', async () => {
  const known = { address: usd, name: 'USD Coin', symbol: 'USDC', decimals: 6 }
  const findTokenDetails = async () => [undefined, known, { address: token(1), symbol: 'ODD' }]
  expect((await get({ listedTokens: [token(1)], findTokenDetails })).body).toEqual([known])
})

test('neither lists nor reads unsupported tokens', async () => {
  const unsupportedTokens = new Set([usd, token(1)])
  await storeTrades([token(1), token(2)])
  const response = await get({ listedTokens: [token(1)], unsupportedTokens })
  expect(response.requested).toEqual([network.wrappedNative, token(2)])
})

test('lists at most a hundred tokens, however many are listed or traded', async () => {
  const many = Array.from({ length: 150 }, (_, i) => token(i + 1))
  await storeTrades(many.slice(0, 120))
  for (const listedTokens of [many, []]) {
    const response = await get({ listedTokens })
    expect([response.requested.length, response.body.length]).toEqual([100, 100])
  }
})

test('a failing node is an error, not an empty list', async () => {
  const findTokenDetails = async () => Promise.reject(new Error('no node'))
  const response = await getTokens({
    database,
    network,
    listedTokens: [],
    unsupportedTokens: new Set(),
    findTokenDetails,
  }).request('/api/v1/tokens')
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([500, 'no-store'])
})

test('offers the trusted tokens when the popular ones cannot be read', async () => {
  const findTokenDetails: DescribeTokens = async (tokens) => {
    if (tokens.includes(token(4))) throw new Error('an outage')
    return tokens.map((address) => ({ address, decimals }))
  }
  await storeTrades([token(3), token(4)])
  const response = await get({ findTokenDetails })
  expect(addressesOf(response)).toEqual([network.wrappedNative, usd])
})

test('a chain that describes none of the trusted tokens is an error, not an empty list', async () => {
  const response = await get({ findTokenDetails: async (tokens) => tokens.map(() => undefined) })
  expect(response).toMatchObject({ status: 503, cache: 'no-store', body: { errorType: 'ServiceUnavailable' } })
})
