import { type Address, type Hex, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { simulateCalls } from '../chain/calls/simulateCalls.ts'
import { findBalanceLayout } from './findBalanceLayout.ts'

let testChain: TestChain
beforeAll(async () => {
  testChain = await startTestChain()
})
afterAll(() => testChain?.stop())

/** Loads the word at the slot on the stack and returns it. */
const returnStored = '5460005260206000f3'
const holderToMemory = (offset: string) => `60043560${offset}52`

/** Contracts that respond to every call as `balanceOf`, written in EVM code. */
const tokens: Record<string, string> = {
  'solidity, slot 0': `${holderToMemory('00')}60006020526040600020${returnStored}`,
  'solidity, slot 51': `${holderToMemory('00')}60336020526040600020${returnStored}`,
  'vyper, slot 3': `6003600052${holderToMemory('20')}6040600020${returnStored}`,
  'openzeppelin 5, upgradeable': `${holderToMemory('00')}7f52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace006020526040600020${returnStored}`,
  solady: `6387a211a2600c52${holderToMemory('00')}6020600c20${returnStored}`,
}

const install = async (name: string, code: string): Promise<Address> => {
  const address = keccak256(stringToHex(name)).slice(0, 42) as Address
  await testChain.chain.setCode({ address, bytecode: `0x${code}` })
  return address
}
const find = (token: Address) =>
  findBalanceLayout(
    { simulate: simulateCalls(testChain.rpcUrl), known: new Map() },
    token,
    new AbortController().signal,
  )

test.each(Object.entries(tokens))('%s', async (name, code) => {
  const token = await install(name, code)
  const layout = await find(token)
  const holder: Address = '0x00000000000000000000000000000000000bee5e'
  const value: Hex = `0x${'7'.padStart(64, '0')}`
  await testChain.chain.setStorageAt({ address: token, index: layout?.(holder) ?? '0x', value })
  const data: Hex = `0x70a08231${holder.slice(2).padStart(64, '0')}`
  expect(await testChain.chain.call({ to: token, data })).toEqual({ data: value })
})

test('a token that computes its balances has no layout, nor has an account without code', async () => {
  const computing = (tokens['solidity, slot 0'] ?? '').replace(returnStored, `5460010160005260206000f3`)
  expect(await find(await install('computing', computing))).toBeUndefined()
  expect(await find('0x00000000000000000000000000000000000bee5e')).toBeUndefined()
})
