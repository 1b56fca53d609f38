import { decodeFunctionData, encodeFunctionResult, type Hex, namehash, parseAbi, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { EthereumProvider } from '../ethereumProvider.ts'
import { findPrimaryName } from './findPrimaryName.ts'
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

const reverseAbi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function addr(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
])
/** A node where the owner of `alice` chose `name`, and `alice.eth` resolves to `resolved`. */
const chooses = (name: string | Error, resolved: Hex = alice): EthereumProvider => ({
  request: async ({ params = [] }) => {
    const [{ data }] = params as [{ data: Hex }]
    const { functionName, args } = decodeFunctionData({ abi: reverseAbi, data })
    const isReverse = args[0] === namehash(`${alice.slice(2)}.addr.reverse`)
    if (functionName === 'resolver') {
      const isKnown = isReverse || args[0] === namehash('alice.eth')
      return encodeFunctionResult({ abi: reverseAbi, functionName, result: isKnown ? resolver : zeroAddress })
    }
    if (functionName === 'addr') return encodeFunctionResult({ abi: reverseAbi, functionName, result: resolved })
    if (name instanceof Error) throw name
    return encodeFunctionResult({ abi: reverseAbi, functionName, result: isReverse ? name : '' })
  },
})

test('the primary name of an address is the one that its owner chose', async () => {
  expect(await findPrimaryName(chooses('alice.eth'), alice)).toBe('alice.eth')
})

test.each([
  ['of an address that has none', chooses('')],
  ['that belongs to another address', chooses('alice.eth', `0x${'cd'.repeat(20)}`)],
  ['that does not exist', chooses('bob.eth')],
  ['that is not in normal form', chooses('Alice.eth')],
  ['with a letter that no name has', chooses('alice\u202eeth.eth')],
  ['that is no name', chooses('alice')],
  ['that is too long', chooses(`${'a'.repeat(1_000)}.eth`)],
  ['that cannot be read', chooses(new Error('execution reverted'))],
  ['of a node without ENS', { request: async () => '0x' }],
])('finds no primary name %s', async (_, node) => {
  expect(await findPrimaryName(node, alice)).toBeNull()
})

test('a name has two labels, and mainnet and sepolia have names', () => {
  expect(['alice.eth', 'a.b.eth', 'alice', '.eth', 'alice.', 'a b.eth', ''].map(isName)).toEqual([
    ...[true, true, false, false, false, false, false],
  ])
  expect([1, 11_155_111, 100].map(hasNames)).toEqual([true, true, false])
})
