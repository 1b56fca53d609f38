import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import type { TokenDetails } from '#shared/tokens/tokenDetails.ts'
import type { AskTokens } from './findOfferedTokens.ts'
import { type GetTokensDeps, getTokens } from './getTokens.ts'

const network = networks.sepolia
const usd = network.usdReference.address
const token = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const decimals = 18

const get = async (changes: Partial<GetTokensDeps> = {}) => {
  const asked: Address[] = []
  const deps: GetTokensDeps = {
    network,
    listedTokens: [],
    unsupportedTokens: new Set(),
    selectPopularTokens: async () => [],
    findTokenDetails: async (tokens) => {
      asked.push(...tokens)
      return tokens.map((address): TokenDetails => ({ address, decimals }))
    },
    ...changes,
  }
  const response = await getTokens(deps).request('/api/v1/tokens')
  const body = (await response.json()) as { address: Address }[]
  return { status: response.status, cache: response.headers.get('Cache-Control'), body, asked }
}

const addressesOf = ({ body }: { body: { address: Address }[] }) => body.map(({ address }) => address)

test('wrapped native token and dollar first, then what the operator lists, then what is traded; each once', async () => {
  const answer = await get({
    listedTokens: [token(2), usd, token(1)],
    selectPopularTokens: async () => [token(1), network.wrappedNative, token(3)],
  })
  expect(answer).toMatchObject({ status: 200, cache: 'public, max-age=300, stale-while-revalidate=3600' })
  expect(addressesOf(answer)).toEqual([network.wrappedNative, usd, token(2), token(1), token(3)])
})

test('lists tokens as their contracts describe them, without tokens that lack decimals or are not tokens', async () => {
  const known = { address: usd, name: 'USD Coin', symbol: 'USDC', decimals: 6 }
  const findTokenDetails = async () => [undefined, known, { address: token(1), symbol: 'ODD' }]
  expect((await get({ listedTokens: [token(1)], findTokenDetails })).body).toEqual([known])
})

test('unsupported tokens are neither listed nor read', async () => {
  const unsupportedTokens = new Set([usd, token(1)])
  const answer = await get({
    listedTokens: [token(1)],
    selectPopularTokens: async () => [token(1), token(2)],
    unsupportedTokens,
  })
  expect(answer.asked).toEqual([network.wrappedNative, token(2)])
})

test('never more than a hundred, however many are listed or traded', async () => {
  const many = Array.from({ length: 150 }, (_, i) => token(i + 1))
  const limits: number[] = []
  const selectPopularTokens = async (limit: number) => {
    limits.push(limit)
    return many.toReversed()
  }
  const answer = await get({ listedTokens: many, selectPopularTokens })
  expect([answer.asked.length, answer.body.length, limits]).toEqual([100, 100, [100]])
})

test('a failing node is an error, not an empty list', async () => {
  const findTokenDetails = async () => Promise.reject(new Error('no node'))
  const answer = await getTokens({
    network,
    listedTokens: [],
    unsupportedTokens: new Set(),
    selectPopularTokens: async () => [],
    findTokenDetails,
  }).request('/api/v1/tokens')
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([500, 'no-store'])
})

test('offers the trusted tokens when the popular ones cannot be read', async () => {
  const findTokenDetails: AskTokens = async (tokens) => {
    if (tokens.includes(token(4))) throw new Error('an outage')
    return tokens.map((address) => ({ address, decimals }))
  }
  const answer = await get({ selectPopularTokens: async () => [token(3), token(4)], findTokenDetails })
  expect(addressesOf(answer)).toEqual([network.wrappedNative, usd])
})

test('a chain that describes none of the trusted tokens is an error, not an empty list', async () => {
  const answer = await get({ findTokenDetails: async (tokens) => tokens.map(() => undefined) })
  expect(answer).toMatchObject({ status: 503, cache: 'no-store', body: { errorType: 'ServiceUnavailable' } })
})
