import { type Address, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { nativeSentinel, networks } from '../networks.ts'
import { findTokenFacts, type KnownToken, type TokenFactsDeps } from './findTokenFacts.ts'

const [mainnet, gnosis] = [networks.mainnet.chainId, networks.gnosis.chainId]
const [one, two, three] = ['01', '02', '03'].map((byte) => `0x${byte.repeat(20)}` as const) as [
  Address,
  Address,
  Address,
]

/** Dependencies that record their calls; `changes` override them. */
const withDeps = (changes: Partial<TokenFactsDeps> = {}) => {
  const kept: KnownToken[] = []
  const asked: [string, readonly Address[]][] = []
  const deps: TokenFactsDeps = {
    isServed: () => true,
    selectTokens: async () => [],
    insertTokens: async (tokens) => void kept.push(...tokens),
    findTokenDetails: async ({ name }, tokens) => {
      asked.push([name, tokens])
      return tokens.map((address) => (address === zeroAddress ? undefined : { address, decimals: 6, symbol: 'T\0' }))
    },
    ...changes,
  }
  return { deps, kept, asked }
}

test('native tokens need no look-up, known ones no node, the others one call per network', async () => {
  const known: KnownToken = { chainId: mainnet, address: one, decimals: 8, symbol: 'WBTC' }
  const { deps, kept, asked } = withDeps({ selectTokens: async () => [known] })
  const refer = (chainId: number, ...addresses: Address[]) => addresses.map((address) => ({ chainId, address }))
  const { find, failure } = await findTokenFacts(deps, [
    ...refer(mainnet, one, two, two, nativeSentinel, zeroAddress),
    ...refer(gnosis, two, nativeSentinel),
  ])
  expect(failure).toBeUndefined()
  expect(find(mainnet, one)).toEqual({ decimals: 8, symbol: 'WBTC' })
  expect(find(mainnet, two)).toEqual({ decimals: 6, symbol: 'T' })
  expect(find(mainnet, zeroAddress)).toBeUndefined()
  expect([find(mainnet, nativeSentinel)?.symbol, find(gnosis, nativeSentinel)?.symbol]).toEqual(['ETH', 'xDAI'])
  expect(asked).toEqual([
    ['mainnet', [two, zeroAddress]],
    ['gnosis', [two]],
  ])
  expect(kept).toEqual([mainnet, gnosis].map((chainId) => ({ chainId, address: two, decimals: 6, symbol: 'T' })))
})

test('a failing node leaves out its own tokens and is reported; a network that is not served is not', async () => {
  const away = new Error('away')
  const { deps, kept } = withDeps({
    isServed: ({ name }) => name !== 'base',
    findTokenDetails: async ({ name }, tokens) => {
      if (name === 'gnosis') throw away
      return tokens.map((address) => ({ address, decimals: 6 }))
    },
  })
  const wanted = [mainnet, gnosis, networks.base.chainId, 4_242].map((chainId) => ({ chainId, address: three }))
  const { find, failure } = await findTokenFacts(deps, wanted)
  expect(wanted.map(({ chainId }) => find(chainId, three)?.decimals)).toEqual([6, undefined, undefined, undefined])
  expect(failure).toBe(away)
  expect(kept).toEqual([{ chainId: mainnet, address: three, decimals: 6, symbol: null }])
})

test('without tokens there is no look-up', async () => {
  const { deps } = withDeps({ selectTokens: () => Promise.reject(new Error('asked')) })
  expect((await findTokenFacts(deps, [])).failure).toBeUndefined()
})
