import { type Address, type Hex, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployOddToken, type OddToken } from '#test/helpers/chain/oddContracts.ts'
import { deployPermitToken, type PermitToken } from '#test/helpers/chain/permitToken.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { deployHooksTrampoline } from '#tools/stack/chain/contracts/deployHooksTrampoline.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { simulateCalls } from '../chain/calls/simulateCalls.ts'
import { buildHookInteractions } from '../hooks/buildHookInteractions.ts'
import { networks } from '../networks.ts'
import { computeFunding, type FundedOrder } from './computeFunding.ts'
import { findFundingFacts } from './findFundingFacts.ts'
import type { Funding } from './fundingSchema.ts'

const network = networks.sepolia
const { wrappedNative, vaultRelayer, settlementContract } = network
const account = devAccounts[6]
const owner = account.address
const wei = 10n ** 18n
const validTo = 2_000_000_000

let chain: SettlementChain
let permitToken: PermitToken
let oddToken: OddToken

beforeAll(async () => {
  chain = await startSettlementChain()
  await deployHooksTrampoline(chain.chain)
  permitToken = await deployPermitToken(chain.chain)
  oddToken = await deployOddToken(chain.chain, { hasPool: false })
})
afterAll(() => chain?.stop())

type Hooks = Parameters<typeof buildHookInteractions>[1]

const find = async (sellToken: Address, changes: Partial<FundedOrder> = {}, hooks: Hooks = []): Promise<Funding> => {
  const order: FundedOrder = {
    owner,
    sellToken,
    needed: 1000n,
    signingScheme: 'eip712',
    validTo,
    uid: null,
    ...changes,
  }
  const deps = { network, simulate: simulateCalls(chain.rpcUrl), connect: () => chain.client }
  const preInteractions = buildHookInteractions(network.hooksTrampoline, hooks)
  const query = { owner: order.owner, sellToken, preInteractions }
  const findFacts = await findFundingFacts(deps, query, AbortSignal.timeout(20_000))
  if (!findFacts) throw new Error('the node returned no amounts')
  return computeFunding(network, order, await findFacts(order.needed))
}
const typesOf = ({ steps }: Funding) => steps.map(({ type }) => type)
/** The owner sends the calls one by one. */
const send = async ({ calls }: Funding) => {
  for (const { to, data, value } of calls)
    await sendFrom(chain.chain, owner, { to: to as Address, data: data as Hex, value: BigInt(value) })
}

describe('funding', () => {
  test('names the missing amount of a token, beside its approval', async () => {
    const funding = await find(chain.tokens.DAI.address)
    expect(funding).toMatchObject({ balance: '0', allowance: '0', needed: '1000', spender: vaultRelayer })
    expect(funding.steps[0]).toEqual({ type: 'acquire', token: chain.tokens.DAI.address, amount: '1000' })
    expect(typesOf(funding)).toEqual(['acquire', 'approve', 'sign'])
  })

  test('wraps what is missing of the wrapped native token, and its calls make the order ready', async () => {
    await sendFrom(chain.chain, owner, { to: wrappedNative, data: '0xd0e30db0', value: 300n })
    const funding = await find(wrappedNative)
    expect(typesOf(funding)).toEqual(['wrap', 'approve', 'sign'])
    expect(funding.calls[0]).toMatchObject({ to: wrappedNative, value: '700' })
    await send(funding)
    expect(await find(wrappedNative)).toMatchObject({
      balance: '1000',
      allowance: '1000',
      steps: [{ type: 'sign' }],
      calls: [],
    })
    expect(typesOf(await find(wrappedNative, { needed: 10n ** 9n * wei }))).toEqual(['acquire', 'approve', 'sign'])
  })

  test('a signed permit replaces the approval as a hook of the app data', async () => {
    await permitToken.mint(owner, 5_000n)
    const funding = await find(permitToken.address)
    expect(typesOf(funding)).toEqual(['permit', 'sign'])
    const [step] = funding.steps
    if (step?.type !== 'permit') throw new Error('no permit')
    const signature = await privateKeyToAccount(account.privateKey).signTypedData(step.typedData as never)
    const { r, s, v } = parseSignature(signature)
    const word = Number(v).toString(16).padStart(64, '0')
    const callData = `${step.hook.callData}${word}${r.slice(2)}${s.slice(2)}` as Hex
    const hook = { target: step.hook.target as Address, callData, gasLimit: BigInt(step.hook.gasLimit) }
    const after = await find(permitToken.address, {}, [hook])
    expect(after).toMatchObject({ allowance: '1000', steps: [{ type: 'sign' }], calls: [] })
  })

  test('offers no permit to an owner with code or who signs on-chain, but its transactions', async () => {
    await permitToken.mint(owner, 5_000n)
    const uid: Hex = `0x${'12'.repeat(56)}`
    const presigned = await find(permitToken.address, { signingScheme: 'presign', uid })
    expect(typesOf(presigned)).toEqual(['approve', 'presign'])
    expect(presigned.calls.map(({ to }) => to)).toEqual([permitToken.address, settlementContract])
    const contract = devAccounts[5].address
    await permitToken.mint(contract, 5_000n)
    expect(typesOf(await find(permitToken.address, { owner: contract }))).toEqual(['permit', 'sign'])
    await chain.chain.setCode({ address: contract, bytecode: '0x60006000fd' })
    expect(typesOf(await find(permitToken.address, { owner: contract }))).toEqual(['approve', 'sign'])
  })

  test('resets an approval that the token does not change otherwise', async () => {
    await oddToken.give(owner, 5_000n)
    await oddToken.set('setNeedsReset', true)
    const first = await find(oddToken.address, { needed: 10n })
    expect(first.calls).toHaveLength(1)
    await send(first)
    const second = await find(oddToken.address)
    expect(second).toMatchObject({ allowance: '10', steps: [{ type: 'approve' }, { type: 'sign' }] })
    expect(second.calls).toHaveLength(2)
    await send(second)
    expect(await find(oddToken.address)).toMatchObject({ allowance: '1000', steps: [{ type: 'sign' }] })
  })

  test('is unknown for an account that is no token', async () => {
    await expect(find(devAccounts[3].address)).rejects.toThrow('no amounts')
  })
})
