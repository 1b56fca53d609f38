import { type Address, encodeFunctionData, type Hex, maxUint256, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { codeReturning, hostileCode } from '#test/helpers/chain/hostileCode.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { openSql } from '#test/helpers/solvers/solverMarket.ts'
import { deployTestTokens, type TestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { advanceHolders } from './advanceHolders.ts'
import type { HolderIndexDeps } from './holderIndexDeps.ts'
import { openHolderStore } from './holderStore.ts'

const minter = devAccounts[7].address.toLowerCase() as Address
const abi = parseAbi(['function transfer(address to, uint256 amount)'])
const honest = [1, 2, 3].map((seed): Address => `0x${'a0'.repeat(19)}0${seed}`)
/** The token misbehaves for accounts with this last byte. */
const hostile: Address = `0x${'b0'.repeat(19)}ee`

let chain: TestChain
let token: Address

beforeAll(async () => {
  chain = await startTestChain()
  const tokens: TestTokens = await deployTestTokens(chain.chain)
  token = tokens.DAI.address
  for (const to of [...honest, hostile]) {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 1n] })
    await sendFrom(chain.chain, minter, { to: token, data })
  }
})

afterAll(() => chain?.stop())

/** Runs `code` for a hostile account, and returns 7 for any other. Offset 0 is a jump destination, for loops. */
const codeFor = (code: Hex): Hex => {
  const ordinary = codeReturning(7n).slice(2)
  const start = (14 + ordinary.length / 2).toString(16).padStart(4, '0')
  return `0x5b60043560ff1660ee1461${start}57${ordinary}5b${code.slice(2)}`
}

const readHolders = async (changes: Partial<HolderIndexDeps['store']> = {}) => {
  const real = connectChain(chain.rpcUrl, networks.sepolia.chainId)
  const gas: bigint[] = []
  const call: typeof real.call = (request) => {
    gas.push(request.gas ?? 0n)
    return real.call(request)
  }
  const store = { ...openHolderStore(openSql()), ...changes }
  const deps = { store, token, startBlock: 0, shown: 100, span: { blocks: 2_000 }, now: Date.now }
  const isComplete = await advanceHolders({ ...deps, chain: { ...real, call } }, Date.now() + 60_000)
  return { isComplete, gas, holders: store.findLargest(100) }
}

/** Those that the token's logs name; the mint names the zero address. */
const ordinary = [zeroAddress, minter, ...honest].toSorted().map((address) => ({ address, balance: 7n }))

test.each([...Object.entries(hostileCode), ['one byte', '0x60ff60005360016000f3']] as [string, Hex][])(
  'a token that ends in "%s" for one account lists all others, and that one without a balance',
  async (_name, code) => {
    await chain.chain.setCode({ address: token, bytecode: codeFor(code) })
    const { isComplete, gas, holders } = await readHolders()
    expect(isComplete).toBe(true)
    expect(holders.filter(({ address }) => address !== hostile).toSorted(byAddress)).toEqual(ordinary)
    expect(holders.find(({ address }) => address === hostile)).toBeUndefined()
    expect(gas.length).toBeLessThanOrEqual(40)
    for (const units of gas) expect(units).toBeLessThanOrEqual(16_000_000n)
  },
)

test('the largest balance that a token can claim is listed exactly', async () => {
  await chain.chain.setCode({ address: token, bytecode: codeFor(codeReturning(maxUint256)) })
  const { holders } = await readHolders()
  expect(holders[0]).toEqual({ address: hostile, balance: maxUint256 })
  expect(holders).toHaveLength(6)
})

test('a token with more than five million accounts is left to providers', async () => {
  await chain.chain.setCode({ address: token, bytecode: codeFor(hostileCode.revert) })
  await expect(readHolders({ countNamed: () => 5_000_001 })).rejects.toThrow('more than 5000000 accounts')
  expect((await readHolders({ countNamed: () => 5_000_000 })).holders.toSorted(byAddress)).toEqual(ordinary)
})

const byAddress = (a: { address: Address }, b: { address: Address }): number => (a.address < b.address ? -1 : 1)
