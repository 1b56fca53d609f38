import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NetworkName, nativeSentinel, networks } from '#shared/networks.ts'
import { failures, type RunningProvider, respondWith, startProvider } from '#test/helpers/http/startProvider.ts'
import { coinGecko } from './coinGecko.ts'
import { defiLlama } from './defiLlama.ts'
import { ownPrices } from './ownPrices.ts'
import type { PriceSource } from './priceSource.ts'

const token = networks.mainnet.usdReference.address

let provider: RunningProvider

beforeAll(async () => {
  provider = await startProvider()
})

afterAll(() => provider.stop())

const findPrice = (
  source: PriceSource,
  name: NetworkName = 'mainnet',
  asked: typeof token | typeof nativeSentinel = token,
) => source.findPrice(networks[name], asked)

describe('CoinGecko', () => {
  const open = () => coinGecko({ url: provider.url, apiKey: 'key' })

  test.each([
    ['a token', 'mainnet', token, `token_price/ethereum?contract_addresses=${token}`, token],
    ['the native token', 'gnosis', nativeSentinel, 'price?ids=xdai', 'xdai'],
    ['the native token of a rollup', 'base', nativeSentinel, 'price?ids=ethereum', 'ethereum'],
  ] as const)('%s', async (_, network, asked, path, id) => {
    provider.answer(respondWith({ [id]: { usd: 1.5 } }))
    expect(await findPrice(open(), network, asked as typeof token)).toEqual({ status: 'price', price: 1.5 })
    expect(provider.asked.at(-1)).toBe(`/api/v3/simple/${path}&vs_currencies=usd`)
    expect(provider.headers()['x-cg-pro-api-key']).toBe('key')
  })

  test.each<[string, RequestListener, object]>([
    ['an empty response', respondWith({}), { status: 'unknown' }],
    ['no price', respondWith({ [token]: {} }), { status: 'unknown' }],
    ['404', respondWith({}, 404), { status: 'unknown' }],
    ['429', respondWith({}, 429), { status: 'throttled' }],
    ...failures.map(([name, listener]): [string, RequestListener, object] => [name, listener, { status: 'failed' }]),
  ])('%s', async (_, listener, expected) => {
    provider.answer(listener)
    expect(await findPrice(open())).toMatchObject(expected)
  })

  test('does not support test networks, and is not queried', async () => {
    const before = provider.asked.length
    expect(await findPrice(open(), 'sepolia')).toEqual({ status: 'unknown' })
    expect(provider.asked.length).toBe(before)
  })
})

describe('DefiLlama', () => {
  const open = () => defiLlama({ url: provider.url, apiKey: 'key' })

  test.each([
    ['a token', 'mainnet', token, `ethereum:${token}`],
    ['a token of a sidechain', 'gnosis', token, `xdai:${token}`],
    ['a token of a rollup', 'arbitrum_one', token, `arbitrum:${token}`],
    ['the native token', 'mainnet', nativeSentinel, 'coingecko:ethereum'],
    ['the native token of a sidechain', 'gnosis', nativeSentinel, 'coingecko:xdai'],
    ['the native token of a rollup', 'arbitrum_one', nativeSentinel, 'coingecko:ethereum'],
  ] as const)('%s', async (_, network, asked, coin) => {
    provider.answer(respondWith({ coins: { [coin]: { price: 1.5, confidence: 0.99, decimals: 6 } } }))
    expect(await findPrice(open(), network, asked as typeof token)).toEqual({ status: 'price', price: 1.5 })
    expect(provider.asked.at(-1)).toBe(`/key/coins/prices/current/${coin}`)
  })

  test.each<[string, RequestListener, object]>([
    ['an empty response', respondWith({ coins: {} }), { status: 'unknown' }],
    [
      'a doubtful price',
      respondWith({ coins: { [`ethereum:${token}`]: { price: 1, confidence: 0.5 } } }),
      { status: 'unknown' },
    ],
    ['429', respondWith({}, 429), { status: 'throttled' }],
    ...failures.map(([name, listener]): [string, RequestListener, object] => [name, listener, { status: 'failed' }]),
  ])('%s', async (_, listener, expected) => {
    provider.answer(listener)
    expect(await findPrice(open())).toMatchObject(expected)
  })
})

// side by side: each takes its time limit
test.concurrent.each([
  ['CoinGecko', coinGecko],
  ['DefiLlama', defiLlama],
] as const)('%s when it is slow', async (_, connect) => {
  provider.answer(() => undefined)
  expect(await findPrice(connect({ url: provider.url, apiKey: 'key' }))).toMatchObject({ status: 'failed' })
})

describe('own prices', () => {
  const quoting = (prices: Record<string, unknown>, decimals: number | undefined = 18) =>
    ownPrices({
      quotes: new Map([
        [
          'mainnet',
          {
            fetch: async (request) => {
              const answer = prices[new URL(request.url).pathname.split('/').at(-2) ?? '']
              return typeof answer === 'number'
                ? Response.json({ price: answer })
                : Response.json(answer ?? { errorType: 'NoLiquidity', data: { retryable: false } }, { status: 400 })
            },
          },
        ],
      ]),
      findDecimals: async () => decimals,
    })
  const dai = '0x6b175474e89094c44da98b954eedeac495271d0f'
  // one atom of the reference is 4e8 wei: 2,500 US dollars per ether
  const reference = { [token]: 4e8 }

  test.each<[string, PriceSource, typeof dai | typeof nativeSentinel, object]>([
    [
      'the native token',
      quoting({ ...reference, [nativeSentinel]: 1 }),
      nativeSentinel,
      { status: 'price', price: 2_500 },
    ],
    ['a token of 18 decimals', quoting({ ...reference, [dai]: 0.0004 }), dai, { status: 'price', price: 1 }],
    ['a token without a market', quoting(reference), dai, { status: 'unknown' }],
    [
      'solvers that do not respond',
      quoting({ ...reference, [dai]: { errorType: 'NoLiquidity', data: { retryable: true } } }),
      dai,
      { status: 'failed', reason: 'NoLiquidity' },
    ],
    [
      'a token that solvers decline',
      quoting({ ...reference, [dai]: { errorType: 'InsufficientLiquidity', data: { retryable: false } } }),
      dai,
      { status: 'unknown' },
    ],
    ['no reference', quoting({ [dai]: 1 }), dai, { status: 'failed' }],
    [
      'a Worker that is down',
      quoting({ ...reference, [dai]: { errorType: 'ServiceUnavailable' } }),
      dai,
      { status: 'failed' },
    ],
  ])('%s', async (_, source, asked, expected) => {
    expect(await source.findPrice(networks.mainnet, asked)).toMatchObject(expected)
  })

  test('an unresponsive Worker is a failure', async () => {
    const stuck = { fetch: () => new Promise<Response>(() => undefined) }
    const source = ownPrices({ quotes: new Map([['mainnet', stuck]]), findDecimals: async () => 18 }, { timeoutMs: 50 })
    expect(await source.findPrice(networks.mainnet, dai)).toMatchObject({ status: 'failed' })
  })

  test('a network without solvers is unknown', async () => {
    expect(await quoting(reference).findPrice(networks.base, dai)).toEqual({ status: 'unknown' })
  })
})
