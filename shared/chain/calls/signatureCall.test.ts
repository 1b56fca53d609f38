import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  pad,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { deployTestContract } from '#test/helpers/chain/oddContracts.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
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
  const owner: Address = '0x1271000000000000000000000000000000000001'
  const word = pad(selector, { dir: 'right', size: 32 })
  expect(isAccepted(owner, word)).toBe(true)
  expect(isAccepted(owner, selector)).toBe(false)
  expect(isAccepted(owner, pad('0xffffffff', { dir: 'right', size: 32 }))).toBe(false)
  expect(isAccepted(owner, undefined)).toBe(false)
  const precompiled = ['0x02', '0x04', '0x0100', '0x01ff'] as const
  for (const contract of precompiled)
    expect([contract, isAccepted(pad(contract, { size: 20 }), word)]).toEqual([contract, false])
  expect(isAccepted(pad('0x0200', { size: 20 }), word)).toBe(true)
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
    return isAccepted(owner, outcome === 'failed' || outcome === 'exhausted' ? undefined : (outcome as `0x${string}`))
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

  /** Returns a word: PUSH32, MSTORE at 0, RETURN. */
  const returning = (word: Hex): Hex => concatHex(['0x7f', word, '0x5f5260205ff3'])
  const magic = pad('0x1626ba7e', { dir: 'right', size: 32 })
  const accepting: Address = '0x1271000000000000000000000000000000000001'
  const dirty: Address = '0x1271000000000000000000000000000000000006'

  test.each<[string, Address, Hex | undefined, boolean]>([
    ['accepts', accepting, returning(magic), true],
    ['returns nothing', '0x1271000000000000000000000000000000000002', '0x00', false],
    ['returns the selector in a word with other bytes', dirty, returning(`${magic.slice(0, -1)}1` as Hex), true],
    // the identity function returns its calldata, which begins with the selector
    ['is the precompiled identity function', '0x0000000000000000000000000000000000000004', undefined, false],
    [
      'delegates to one that accepts',
      '0x1271000000000000000000000000000000000003',
      `0xef0100${accepting.slice(2)}`,
      true,
    ],
    [
      'delegates to an account whose code is gone',
      '0x1271000000000000000000000000000000000005',
      `0xef0100${'99'.repeat(20)}`,
      false,
    ],
  ])('and so is an owner that %s', async (_, owner, code, accepts) => {
    const { DAI } = chain.tokens
    if (code) await chain.chain.setCode({ address: owner, bytecode: code })
    await chain.chain.setBalance({ address: owner, value: 10n ** 18n })
    await chain.chain.impersonateAccount({ address: owner })
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [owner, 1_000n] })
    await sendFrom(chain.chain, chain.owner, { to: DAI.address, data: transfer })
    const approve = { abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, maxUint256] } as const
    await sendFrom(chain.chain, owner, { to: DAI.address, data: encodeFunctionData(approve) })
    const signature = concatHex([owner, '0x1234'])
    const order = chain.buildOrder(1, { owner, signingScheme: 'eip1271', signature })
    const settlement = {
      account: chain.solver,
      to: network.settlementContract,
      data: chain.encodeSettle([{ order, executedSell: 1_000n, executedBuy: 3_000n }]),
    }
    const settles = await chain.chain.call(settlement).then(
      () => true,
      () => false,
    )
    expect([settles, await callAsSettlement(owner), (await simulate(owner)) === 'accepted']).toEqual([
      accepts,
      accepts,
      accepts,
    ])
  })

  test('and an address without code is no contract', async () => {
    expect([await simulate(unowned), await callAsSettlement(unowned)]).toEqual(['noContract', false])
  })
})
