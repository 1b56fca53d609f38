import { type Address, pad, toFunctionSelector, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { deployTestContract } from '#test/helpers/chain/oddContracts.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { callTogether } from './callTogether.ts'
import {
  buildSignatureCheck,
  encodeSignatureCheck,
  isAccepted,
  readSignatureVerdict,
  signatureOverrides,
} from './signatureCall.ts'
import { simulateCalls } from './simulateCalls.ts'

test('a signature is accepted by a word that begins with the selector of isValidSignature', () => {
  const selector = toFunctionSelector('isValidSignature(bytes32,bytes)')
  expect(isAccepted(pad(selector, { dir: 'right', size: 32 }))).toBe(true)
  expect(isAccepted(selector)).toBe(false)
  expect(isAccepted(pad('0xffffffff', { dir: 'right', size: 32 }))).toBe(false)
  expect(isAccepted(undefined)).toBe(false)
})

describe('a signature is checked as the settlement contract does', () => {
  const network = networks.sepolia
  const unowned: Address = '0x1271000000000000000000000000000000000099'
  let chain: SettlementChain
  beforeAll(async () => {
    chain = await startSettlementChain()
  })
  afterAll(() => chain?.stop())

  const simulate = async (owner: Address) => {
    const check = buildSignatureCheck(network, { owner, digest: zeroHash, signature: '0x1234' }, 8_000_000n)
    const run = simulateCalls(chain.rpcUrl)
    const { results } = await run([check], signatureOverrides, new AbortController().signal)
    return readSignatureVerdict(results[0]?.returnData)
  }
  const callAsSettlement = async (owner: Address) => {
    const call = { target: owner, callData: encodeSignatureCheck(zeroHash, '0x1234') }
    const bounds = { gasEach: 400_000n, caller: network.settlementContract }
    const [outcome] = await callTogether(chain.client, [call], bounds)
    return isAccepted(outcome === 'failed' || outcome === 'exhausted' ? undefined : (outcome as `0x${string}`))
  }

  test('from its address, which a wallet may require', async () => {
    const picky = await deployTestContract(chain.chain, 'PickyWallet', [network.settlementContract, false, false])
    const other = await deployTestContract(chain.chain, 'PickyWallet', [unowned, false, false])
    expect([await simulate(picky), await simulate(other)]).toEqual(['accepted', 'rejected'])
    expect([await callAsSettlement(picky), await callAsSettlement(other)]).toEqual([true, false])
  })

  test('by a static call, in which a wallet cannot write', async () => {
    const writing = await deployTestContract(chain.chain, 'PickyWallet', [zeroAddress, true, false])
    expect([await simulate(writing), await callAsSettlement(writing)]).toEqual(['rejected', false])
  })

  test('and an address without code is no contract', async () => {
    expect([await simulate(unowned), await callAsSettlement(unowned)]).toEqual(['noContract', false])
  })
})
