import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeReturning } from '#test/helpers/chain/hostileCode.ts'
import { deployOddToken } from '#test/helpers/chain/oddContracts.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { deployToken } from '#test/helpers/chain/uniswapV2.ts'
import { type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { type Simulate, SimulationError, simulateCalls } from '../chain/calls/simulateCalls.ts'
import { networks } from '../networks.ts'
import { checkTokenFaults, forgetTokens } from './checkTokenFaults.ts'
import { createLayoutFinder } from './createLayoutFinder.ts'
import type { CheckTokenFaultsDeps, TokenFaults } from './findTokenFault.ts'

const { wrappedNative } = networks.sepolia
const account = devAccounts[7].address
const { signal } = new AbortController()

let chain: TestChain
/** has pools */
let market: SolverMarket
beforeAll(async () => {
  ;[chain, market] = await Promise.all([startTestChain(), startSolverMarket()])
})
afterAll(() => Promise.all([chain?.stop(), market?.stop()]))

const deploy = async (name: string): Promise<Address> => {
  const { creationCode } = readCompiledContract(name)
  const hash = await chain.chain.deployContract({ abi: [], bytecode: creationCode, account })
  const { contractAddress } = await waitForReceipt(chain.chain, hash)
  return contractAddress?.toLowerCase() as Address
}

const depsOf = (changes: Partial<CheckTokenFaultsDeps> = {}): CheckTokenFaultsDeps => ({
  network: networks.sepolia,
  simulate: simulateCalls(chain.rpcUrl),
  now: () => 0,
  tokenFaults: new Map(),
  ...changes,
})
const check = (deps: CheckTokenFaultsDeps, token: Address, field: 'sellToken' | 'buyToken' = 'sellToken') =>
  checkTokenFaults(
    deps,
    { sellToken: wrappedNative, buyToken: wrappedNative, [field]: token },
    signal,
    createLayoutFinder({ simulate: deps.simulate, balanceLayouts: new Map() }, signal),
  )

describe('a token with a fault is unsupported', () => {
  test.each(['sellToken', 'buyToken'] as const)(
    'a %s whose transfer delivers less than it takes is unsupported',
    async (field) => {
      const token = await deploy('FeeToken')
      await expect(check(depsOf(), token, field)).rejects.toMatchObject({
        errorType: 'UnsupportedToken',
        data: { field, token, reason: 'losesInTransfer', sent: '1000000007', received: '990000007' },
      })
    },
  )

  test('a token that takes a share of transfers with its pool alone is unsupported', async () => {
    const odd = await deployOddToken(market.chain)
    const deps = depsOf({ simulate: simulateCalls(market.rpcUrl) })
    await check(deps, odd.address)
    await odd.set('setTaxed', odd.pool)
    forgetTokens(deps.tokenFaults, { sellToken: odd.address, buyToken: wrappedNative })
    await expect(check(deps, odd.address, 'buyToken')).rejects.toMatchObject({
      errorType: 'UnsupportedToken',
      data: {
        field: 'buyToken',
        token: odd.address,
        reason: 'losesInTransfer',
        sent: '1000000007',
        received: '950000007',
      },
    })
  })

  test('a token that computes balances by a rate is unsupported', async () => {
    const token = await deploy('RebasingToken')
    await expect(check(depsOf(), token)).rejects.toMatchObject({
      errorType: 'UnsupportedToken',
      data: { field: 'sellToken', token, reason: 'rebases', sent: '1000000000039', received: '1070000000041' },
    })
  })
})

test('a verdict is cached for ten minutes', async () => {
  const token = await deploy('FickleToken')
  const tokenFaults: TokenFaults = new Map()
  let calls = 0
  const simulate: Simulate = (...args) => {
    calls += 1
    return simulateCalls(chain.rpcUrl)(...args)
  }
  const at = (minutes: number) => check(depsOf({ tokenFaults, simulate, now: () => minutes * 60_000 }), token)
  await expect(at(0)).rejects.toMatchObject({ errorType: 'UnsupportedToken' })
  const setFee = encodeFunctionData({ abi: parseAbi(['function setFee(uint256)']), functionName: 'setFee', args: [0n] })
  await sendFrom(chain.chain, account, { to: token, data: setFee })
  const before = calls
  await expect(at(9)).rejects.toMatchObject({ data: { token, sent: '1000000007' } })
  expect(calls).toBe(before)
  await at(11)
  expect(calls).toBeGreaterThan(before)
  await at(12)
})

test('a verdict can be dropped before it expires', async () => {
  const token = await deploy('FickleToken')
  const deps = depsOf()
  const setFee = async (fee: bigint) => {
    const data = encodeFunctionData({
      abi: parseAbi(['function setFee(uint256)']),
      functionName: 'setFee',
      args: [fee],
    })
    await sendFrom(chain.chain, account, { to: token, data })
  }
  await setFee(0n)
  await check(deps, token)
  await setFee(1n)
  await check(deps, token)
  forgetTokens(deps.tokenFaults, { sellToken: token, buyToken: wrappedNative })
  await expect(check(deps, token)).rejects.toMatchObject({ errorType: 'UnsupportedToken' })
})

test('a cached fault counts for a request without simulation', async () => {
  const token = await deploy('FeeToken')
  const deps = depsOf()
  const tokens = { sellToken: wrappedNative, buyToken: token }
  await checkTokenFaults(deps, tokens, signal, undefined)
  await expect(check(deps, token)).rejects.toMatchObject({ errorType: 'UnsupportedToken' })
  await expect(checkTokenFaults(deps, tokens, signal, undefined)).rejects.toMatchObject({ data: { field: 'buyToken' } })
})

describe('a token stays supported', () => {
  test('a token with whole transfers stays supported', async () => {
    await check(depsOf(), await deployToken(chain.chain, 'GOOD'))
  })

  test.each([
    ['reverts', '0x60006000fd'],
    ['returns one word for any call', codeReturning(1n)],
    ['returns nothing', '0x00'],
  ] as const)('without proof, because its contract %s', async (_, bytecode) => {
    const token: Address = '0x00000000000000000000000000000000000c0de2'
    await chain.chain.setCode({ address: token, bytecode })
    await check(depsOf(), token)
  })

  test('a token stays supported without a response of the node, and the next request tries again', async () => {
    const token = await deploy('FeeToken')
    const tokenFaults: TokenFaults = new Map()
    const simulate: Simulate = () => Promise.reject(new SimulationError('nodeUnavailable'))
    await check(depsOf({ simulate, tokenFaults }), token)
    await expect(check(depsOf({ tokenFaults }), token)).rejects.toMatchObject({ errorType: 'UnsupportedToken' })
  })
})
