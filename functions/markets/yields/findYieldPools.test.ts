import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { replaceYieldPools, selectAverageAprs } from '#schema/queries/markets/yieldPools.ts'
import { yieldPools } from '#schema/tables/markets/yieldPools.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { networkNames, networks } from '#shared/networks.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { failures, type RunningProvider, respondWith, startProvider } from '#test/helpers/http/startProvider.ts'
import { collectYields } from './collectYields.ts'
import { findYieldPools } from './findYieldPools.ts'

let provider: RunningProvider
let store: TestDatabase

beforeAll(async () => {
  ;[provider, store] = await Promise.all([startProvider(), startTestDatabase()])
})
beforeEach(() => store.database.delete(yieldPools))
afterAll(() => Promise.all([provider?.stop(), store?.close()]))

/** A pool as the list has it. */
const recorded = {
  chain: 'Ethereum',
  project: 'uniswap-v3',
  symbol: 'USDC-WETH',
  tvlUsd: 151_266_880,
  apyBase: 14.41,
  apyReward: null,
  apy: 15.5,
  rewardTokens: null,
  pool: '665dc8bc-c79d-4800-97f7-304bf368e547',
  apyPct1D: -2.6,
  stablecoin: false,
  ilRisk: 'yes',
  exposure: 'multi',
  predictions: { predictedClass: 'Down', predictedProbability: 51, binnedConfidence: 1 },
  poolMeta: '0.05%',
  mu: 25.7,
  underlyingTokens: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
  volumeUsd1d: 119_389_123.6,
  volumeUsd7d: 1_000_000_000,
}
const listing = (...rows: unknown[]): RequestListener => respondWith({ status: 'success', data: rows })

describe('the list', () => {
  const read = async (...rows: unknown[]) => {
    provider.answer(listing(...rows))
    const found = await findYieldPools(`${provider.url}/pools`, networkNames)
    return found.status === 'found' ? found.pools.get('mainnet') : found
  }

  test('of the provider is read with its exact values', async () => {
    expect(await read(recorded, { ...recorded, chain: 'Solana' })).toEqual([
      {
        id: recorded.pool,
        contractAddress: null,
        project: 'uniswap-v3',
        apr: 14.41,
        fee: 0.05,
        tvl: 151_266_880,
        volume: 119_389_123.6,
      },
    ])
    expect(provider.asked.at(-1)).toBe('/pools')
  })

  test.each<[string, object, object | undefined]>([
    [
      'its contract, where it is named',
      { pool_old: `0x${'AB'.repeat(20)}` },
      { contractAddress: `0x${'ab'.repeat(20)}` },
    ],
    ['with more behind it', { pool_old: `0x${'ab'.repeat(20)}-ethereum` }, { contractAddress: `0x${'ab'.repeat(20)}` }],
    ['a name that is no contract', { pool_old: `0x${'ab'.repeat(32)}` }, { contractAddress: null }],
    ['no fees by themselves', { apyBase: null }, { apr: 15.5 }],
    ['a remark that is no fee', { poolMeta: 'CDP' }, { fee: null }],
    ['no volume', { volumeUsd1d: null }, { volume: null }],
    ['no yield', { apyBase: null, apy: null }, undefined],
    ['no size', { tvlUsd: 'much' }, undefined],
    ['an endless name', { project: 'x'.repeat(101) }, undefined],
    ['no name', { project: '' }, undefined],
    ['a yield beyond all measure', { apyBase: 1e308 }, undefined],
    ['a size beyond all measure', { tvlUsd: 1e300 }, undefined],
  ])('%s', async (_, changes, expected) => {
    expect(await read({ ...recorded, ...changes })).toEqual(expected ? [expect.objectContaining(expected)] : [])
  })

  test('malformed rows are skipped, the largest come first, and each once', async () => {
    const small = { ...recorded, pool: 'small', tvlUsd: 1 }
    expect(await read(small, 7, null, {}, 'row', [recorded], recorded, small)).toMatchObject([
      { id: recorded.pool },
      { id: 'small' },
    ])
  })

  test('a network that is missing from the list has no entry', async () => {
    provider.answer(listing(recorded))
    const found = await findYieldPools(provider.url, ['sepolia', 'gnosis'])
    expect(found).toEqual({ status: 'found', pools: new Map([['gnosis', []]]) })
  })
})

describe('a failure leaves the old table:', () => {
  const { chainId } = networks.mainnet
  const old = { id: 'old', contractAddress: null, project: 'old', apr: 1, fee: null, tvl: 1, volume: null }

  const collect = async () => {
    const logs: JsonObject[] = []
    const succeeded = await collectYields({
      findYieldPools: () => findYieldPools(provider.url, ['mainnet', 'gnosis']),
      database: store.database,
      log: (entry) => void logs.push(entry),
    })
    return { succeeded, logs, aprs: await selectAverageAprs(store.database, chainId) }
  }

  test.each<[string, RequestListener]>([
    ...failures.filter(([name]) => name !== 'endless'),
    ['404', respondWith({}, 404)],
    ['429', respondWith({}, 429)],
    ['no pool at all', listing()],
    ['another status', respondWith({ status: 'error', data: [recorded] })],
    ['cut off', (_request, response) => void response.writeHead(200).write('{"status":', () => response.destroy())],
    [
      'endless',
      (_request, response) => {
        response.writeHead(200)
        const write = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1_000_000)));
          if (!response.destroyed) response.once('drain', write)
        }
        write()
      },
    ],
  ])('%s', async (_, listener) => {
    await replaceYieldPools(store.database, chainId, [old])
    provider.answer(listener)
    expect(await collect()).toMatchObject({ succeeded: false, aprs: { old: 1 } })
  })

  test('one network without pools, while another has some', async () => {
    await replaceYieldPools(store.database, networks.gnosis.chainId, [old])
    await replaceYieldPools(store.database, chainId, [old])
    provider.answer(listing(recorded))
    const { succeeded, aprs, logs } = await collect()
    expect({ succeeded, aprs }).toEqual({ succeeded: true, aprs: { 'uniswap-v3': 14.41 } })
    expect(await selectAverageAprs(store.database, networks.gnosis.chainId)).toEqual({ old: 1 })
    expect(logs).toMatchObject([{ network: 'gnosis', reason: 'no pools' }])
  })

  test('a row that the database would reject, or that would distort a mean, does not affect other rows', async () => {
    await replaceYieldPools(store.database, chainId, [old])
    const huge = { ...recorded, apyBase: 1.7e308 }
    const bad = [
      { ...recorded, pool: 'a\0b' },
      { ...recorded, pool: 'c', project: 'd\0' },
      { ...huge, pool: 'e' },
    ]
    provider.answer(listing(...bad, { ...huge, pool: 'f' }, recorded))
    expect(await collect()).toMatchObject({ succeeded: true, aprs: { 'uniswap-v3': 14.41 } })
  })

  test('a long list replaces all', async () => {
    await replaceYieldPools(store.database, chainId, [old])
    provider.answer(
      listing(...Array.from({ length: 5_500 }, (_, i) => ({ ...recorded, pool: `${i}`, tvlUsd: i, apyBase: 2 }))),
    )
    expect((await collect()).aprs).toEqual({ 'uniswap-v3': 2 })
    expect(await store.database.$count(yieldPools)).toBe(5_000)
  })
})

test('a provider that never finishes is abandoned', async () => {
  provider.answer(() => undefined)
  const found = await findYieldPools(provider.url, ['mainnet'], { timeoutMs: 300 })
  expect(found.status).toBe('failed')
})
