import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { connectPriceSources } from '../prices/connectPriceSources.ts'
import { settingsSchema } from '../settings.ts'
import { connectHolderSources } from './connectHolderSources.ts'

const parse = (env: object) => settingsSchema.parse({ RPC_URLS: '{}', PRICES: {}, HOLDERS: {}, ...env })

test.each<[object, string[], string[]]>([
  [{}, ['own'], []],
  [{ COINGECKO_API_KEY: 'key', GOLDRUSH_API_KEY: 'key' }, ['own', 'coingecko'], ['goldrush']],
  [
    { GOLDRUSH_API_KEY: 'c', ETHPLORER_API_KEY: 'b', MORALIS_API_KEY: 'a', DEFILLAMA_API_KEY: 'd' },
    ['own', 'defillama'],
    ['moralis', 'ethplorer', 'goldrush'],
  ],
])('a provider is enabled by its key: %j', (env, prices, holders) => {
  const settings = parse(env)
  expect(connectPriceSources(settings, async () => 18).map(({ name }) => name)).toEqual(prices)
  expect(connectHolderSources(settings).map(({ name }) => name)).toEqual(holders)
})

test('HOLDER_TOKENS accepts addresses in any case', () => {
  const { wrappedNative } = networks.sepolia
  const text = JSON.stringify({ sepolia: { [`0x${wrappedNative.slice(2).toUpperCase()}`]: 7 } })
  expect(parse({ HOLDER_TOKENS: text }).HOLDER_TOKENS).toEqual(new Map([['sepolia', new Map([[wrappedNative, 7]])]]))
})
