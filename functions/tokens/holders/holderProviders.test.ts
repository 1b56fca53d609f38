import type { RequestListener } from 'node:http'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NetworkName, networks } from '#shared/networks.ts'
import { failures, type RunningProvider, respondWith, startProvider } from '#test/helpers/http/startProvider.ts'
import { ethplorer } from './ethplorer.ts'
import { goldRush } from './goldRush.ts'
import type { HolderSource } from './holderSource.ts'
import { moralis } from './moralis.ts'

type Row = [address: unknown, balance: unknown]
type Provider = {
  name: string
  open: () => HolderSource
  /** a response body with these rows */
  list: (rows: Row[]) => unknown
  /** expected path by network, with the key where it is part of the path */
  paths: { [network in NetworkName]?: string }
  header?: [name: string, value: string]
  missing: NetworkName[]
}

const token = networks.mainnet.usdReference.address
const [low, middle, high] = ['1', '2', '3'].map((digit): Address => `0x${digit.repeat(39)}a`) as [
  Address,
  Address,
  Address,
]
const upper = (address: Address) => `0x${address.slice(2).toUpperCase()}`

let provider: RunningProvider

beforeAll(async () => {
  provider = await startProvider()
})

afterAll(() => provider.stop())

const providers: Provider[] = [
  {
    name: 'Moralis',
    open: () => moralis({ url: provider.url, apiKey: 'key' }),
    list: (rows) => ({ page: 0, result: rows.map(([owner_address, balance]) => ({ owner_address, balance })) }),
    paths: {
      mainnet: `/api/v2.2/erc20/${token}/owners?chain=eth&limit=100&order=DESC`,
      arbitrum_one: `/api/v2.2/erc20/${token}/owners?chain=arbitrum&limit=100&order=DESC`,
    },
    header: ['x-api-key', 'key'],
    missing: [],
  },
  {
    name: 'Ethplorer',
    open: () => ethplorer({ urls: new Map([['mainnet', provider.url]]), apiKey: 'key' }),
    list: (rows) => ({
      holders: rows.map(([address, rawBalance]) => ({ address, balance: 1e21, share: 1, rawBalance })),
    }),
    paths: { mainnet: `/getTopTokenHolders/${token}?apiKey=key&limit=100` },
    missing: ['gnosis', 'base', 'arbitrum_one'],
  },
  {
    name: 'GoldRush',
    open: () => goldRush({ url: provider.url, apiKey: 'key' }),
    list: (rows) => ({ data: { items: rows.map(([address, balance]) => ({ address, balance })) }, error: false }),
    paths: {
      mainnet: `/v1/eth-mainnet/tokens/${token}/token_holders_v2/?page-size=100&page-number=0`,
      sepolia: `/v1/eth-sepolia/tokens/${token}/token_holders_v2/?page-size=100&page-number=0`,
    },
    header: ['authorization', 'Bearer key'],
    missing: [],
  },
]

describe.each(providers)('$name', ({ open, list, paths, header, missing }) => {
  const ask = (network: NetworkName = 'mainnet') => open().findHolders(networks[network], token)

  test.each(Object.entries(paths) as [NetworkName, string][])('supports %s', async (network, path) => {
    provider.answer(respondWith(list([[low, '7']])))
    expect(await ask(network)).toEqual({ status: 'holders', holders: [{ address: low, balance: 7n }] })
    expect(provider.asked.at(-1)).toBe(path)
    if (header) expect(provider.headers()[header[0]]).toBe(header[1])
  })

  test.each<[string, Row[], Row[]]>([
    [
      'largest first, by exact numbers',
      [
        [low, '9007199254740993'],
        [middle, '10000000000000000000000'],
        [high, '9007199254740992'],
      ],
      [
        [middle, 10n ** 22n],
        [low, 9_007_199_254_740_993n],
        [high, 9_007_199_254_740_992n],
      ],
    ],
    [
      'equal balances by address',
      [
        [high, '5'],
        [low, '5'],
      ],
      [
        [low, 5n],
        [high, 5n],
      ],
    ],
    [
      'addresses in lower case, without duplicates',
      [
        [upper(low), '5'],
        [low, '4'],
        [middle, '1'],
      ],
      [
        [low, 5n],
        [middle, 1n],
      ],
    ],
    [
      'no empty accounts',
      [
        [low, '0'],
        [middle, '1'],
      ],
      [[middle, 1n]],
    ],
  ])('%s', async (_, rows, expected) => {
    provider.answer(respondWith(list(rows)))
    const holders = expected.map(([address, balance]) => ({ address, balance }))
    expect(await ask()).toEqual({ status: 'holders', holders })
  })

  test('at most a hundred holders', async () => {
    const rows = Array.from({ length: 150 }, (_, i): Row => [`0x${String(i).padStart(40, '0')}`, String(i + 1)])
    provider.answer(respondWith(list(rows)))
    const outcome = await ask()
    expect(outcome).toMatchObject({ status: 'holders' })
    const holders = outcome.status === 'holders' ? outcome.holders : []
    expect(holders.map(({ balance }) => balance)).toEqual(Array.from({ length: 100 }, (_, i) => BigInt(150 - i)))
  })

  test.each<[string, () => RequestListener, object]>([
    ['an empty list', () => respondWith(list([])), { status: 'unknown' }],
    ['404', () => respondWith({ error: 'no such token' }, 404), { status: 'unknown' }],
    ['429', () => respondWith({}, 429), { status: 'throttled' }],
    ['an error with status 200', () => respondWith({ error: true, message: 'no' }), { status: 'failed' }],
    ['a fraction', () => respondWith(list([[low, '1.5']])), { status: 'failed' }],
    ['a number', () => respondWith(list([[low, 5]])), { status: 'failed' }],
    ['more than 256 bits', () => respondWith(list([[low, String(2n ** 256n)]])), { status: 'failed' }],
    [
      'one bad address among good ones',
      () =>
        respondWith(
          list([
            [low, '5'],
            ['0x12', '4'],
          ]),
        ),
      { status: 'failed' },
    ],
    ['10,000 rows', () => respondWith(list(Array(10_000).fill([low, '1']))), { status: 'failed' }],
    ...failures.map(([name, listener]): [string, () => RequestListener, object] => [
      name,
      () => listener,
      { status: 'failed' },
    ]),
  ])('%s', async (_, listener, expected) => {
    provider.answer(listener())
    expect(await ask()).toMatchObject(expected)
  })

  test.each(missing)('does not support %s, and is not queried', async (network) => {
    const before = provider.asked.length
    expect(await ask(network)).toEqual({ status: 'unknown' })
    expect(provider.asked.length).toBe(before)
  })
})
