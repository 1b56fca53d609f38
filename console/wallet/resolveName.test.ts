import { decodeFunctionData, encodeFunctionResult, type Hex, namehash, parseAbi, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { EthereumProvider } from './ethereumProvider.ts'
import { hasNames, isName } from './nameRules.ts'
import { resolveName } from './resolveName.ts'

const abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function addr(bytes32 node) view returns (address)',
])
const resolver = `0x${'4e'.repeat(20)}` as const
const alice = `0x${'Ab'.repeat(20)}`.toLowerCase() as Hex

/** A node whose registry knows `alice.eth`, and `lost.eth` without an address. */
const provider: EthereumProvider = {
  request: async ({ params = [] }) => {
    const [{ to, data }] = params as [{ to: string; data: Hex }]
    const { functionName, args } = decodeFunctionData({ abi, data })
    const isKnown = args[0] === namehash('alice.eth') || args[0] === namehash('lost.eth')
    if (functionName === 'resolver') {
      expect(to).toBe('0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e')
      return encodeFunctionResult({ abi, functionName, result: isKnown ? resolver : zeroAddress })
    }
    expect(to).toBe(resolver)
    if (args[0] === namehash('lost.eth')) throw new Error('execution reverted')
    return encodeFunctionResult({ abi, functionName, result: alice })
  },
}

test('finds the address of a name, in any case of its letters', async () => {
  expect(await resolveName(provider, 'alice.eth')).toBe(alice)
  expect(await resolveName(provider, 'Alice.ETH')).toBe(alice)
})

test('finds nothing for names that are unknown, have no address, or are not valid', async () => {
  expect(await resolveName(provider, 'bob.eth')).toBeNull()
  expect(await resolveName(provider, 'lost.eth')).toBeNull()
  expect(await resolveName(provider, 'ali_ce.eth')).toBeNull()
  expect(await resolveName({ request: async () => '0x' }, 'alice.eth')).toBeNull()
})

test('names have labels; mainnet and sepolia have names', () => {
  expect(['alice.eth', 'a.b.eth', 'alice', '.eth', 'alice.', 'a b.eth', ''].map(isName)).toEqual([
    ...[true, true, false, false, false, false, false],
  ])
  expect([1, 11_155_111, 100].map(hasNames)).toEqual([true, true, false])
})
