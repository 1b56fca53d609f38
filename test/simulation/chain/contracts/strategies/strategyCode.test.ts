import {
  type Address,
  BaseError,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseAbi,
} from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { hashParams } from '#shared/strategies/hashParams.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { encodeTwap } from '#shared/strategies/twap.ts'
import { createDice, type Dice } from '#test/helpers/hostile/createDice.ts'
import { deployComposableCow } from '#tools/stack/chain/contracts/deployComposableCow.ts'
import { findRuntimeCode } from '#tools/stack/chain/contracts/findRuntimeCode.ts'
import { installContract } from '#tools/stack/chain/contracts/installContract.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { type SettlementChain, startSettlementChain } from '../../../../helpers/chain/settlementChain.ts'
import { createChain } from '../../createChain.ts'
import { createComposableCowCode, hashEncoded } from './composableCowCode.ts'
import { createConditionalAccountCode } from './conditionalAccountCode.ts'
import { createTwapCode } from './twapCode.ts'

const { composableCow, settlementContract, chainId } = networks.sepolia
const separator = computeDomainSeparator(chainId, settlementContract)
const owner = devAccounts[3].address
const cases = 150
const gas = 3_000_000n
const accountAbi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])
const evaluate = { abi: composableCowAbi, functionName: 'getTradeableOrderWithSignature' } as const

let local: SettlementChain
let time: number

// a second try starts on a chain of its own, too
beforeEach(async () => {
  local = await startSettlementChain()
  await deployComposableCow(local.chain)
  const { abi, creationCode } = readCompiledContract('ConditionalAccount')
  const deployment = encodeDeployData({ abi, bytecode: creationCode, args: [composableCow] })
  await installContract(local.chain, owner, { code: await findRuntimeCode(local.chain, deployment) })
  time = Number((await local.chain.getBlock()).timestamp) + 10_000
})
afterEach(() => local?.stop())

const randomParams = (dice: Dice) => {
  const t = BigInt(dice.pick([0, 30, 30, 30, 30, 30, 30, 400 * 86_400]))
  const [token, other]: [Address, Address] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
  const staticInput = encodeTwap({
    ...{ sellToken: token, buyToken: dice.pick([other, other, other, other, other, token]), receiver: owner },
    ...{ partSellAmount: BigInt(dice.pick([0, 7, 7, 7, 7])), minPartLimit: BigInt(dice.pick([0, 5, 5, 5, 5])) },
    ...{ t0: BigInt(time + dice.between(-60, 30)), n: BigInt(dice.pick([1, 2, 3, 3, 3])), t },
    ...{ span: BigInt(dice.pick([0, 0, 20, 500])), appData: `0x${'00'.repeat(32)}` as const },
  })
  const salt: Hex = `0x${dice
    .between(0, 2 ** 30)
    .toString(16)
    .padStart(64, '0')}`
  return { handler: publicContracts.twap, salt, staticInput: dice.chance(0.05) ? ('0x1234' as const) : staticInput }
}

type Outcome = { succeeded: boolean; data: Hex }

const callLocally = async (to: Address, data: Hex): Promise<Outcome> => {
  try {
    const call = { account: devAccounts[0].address, to, data, gas, blockOverrides: { time: BigInt(time) } }
    return { succeeded: true, data: (await local.chain.call(call)).data ?? '0x' }
  } catch (error) {
    const cause = error instanceof BaseError ? error.walk((each) => 'data' in (each as object)) : undefined
    return { succeeded: false, data: (cause as { data?: Hex } | undefined)?.data ?? '0x' }
  }
}

test('the models of registry, TWAP and account return and revert with the same data as the contracts', async () => {
  const dice = createDice(1, 'conditional orders')
  const contracts = new Map([
    [composableCow, createComposableCowCode(separator)],
    [publicContracts.twap, createTwapCode()],
    [owner, createConditionalAccountCode(composableCow, separator)],
  ])
  const model = createChain({ contracts, genesisTime: time, blockTimeSeconds: 1, baseFee: 0n })
  model.mine()
  const run = (from: Address, to: Address, data: Hex): Outcome => {
    const { succeeded, returnData } = model.machine.execute(
      { from, to, data, gas },
      { ...model.head(), number: 1, timestamp: time },
    )
    return { succeeded, data: returnData }
  }
  const compare = async (to: Address, data: Hex, what: string): Promise<Outcome> => {
    const actual = await callLocally(to, data)
    expect(run(devAccounts[0].address, to, data), what).toEqual(actual)
    return actual
  }
  const known: ReturnType<typeof randomParams>[] = []
  const outcomes = new Set<string>()
  for (let i = 0; i < cases; i += 1) {
    time += dice.between(0, 10)
    const isNew = known.length === 0 || dice.chance(0.4)
    const params = isNew ? randomParams(dice) : dice.pick(known.slice(-8))
    const hash = hashParams(params)
    const isRemoval = !isNew && dice.chance(0.2)
    if (isNew || isRemoval) {
      if (isNew) known.push(params)
      const data = isRemoval
        ? encodeFunctionData({ abi: composableCowAbi, functionName: 'remove', args: [hash] })
        : encodeFunctionData({ abi: composableCowAbi, functionName: 'create', args: [params, true] })
      await sendFrom(local.chain, owner, { to: composableCow, data })
      run(owner, composableCow, data)
    }
    const read = encodeFunctionData({ abi: composableCowAbi, functionName: 'singleOrders', args: [owner, hash] })
    await compare(composableCow, read, `case ${i}`)
    const proof: readonly Hex[] = dice.chance(0.05) ? [hash] : []
    const args = [owner, params, '0x', proof] as const
    const { succeeded, data } = await compare(composableCow, encodeFunctionData({ ...evaluate, args }), `case ${i}`)
    outcomes.add(succeeded ? 'part' : data.slice(0, 10))
    if (!succeeded) continue
    const [order, signature] = decodeFunctionResult({ ...evaluate, data })
    const digest = hashEncoded(order, separator)
    time += dice.pick([0, 0, 40])
    const cut: Hex = dice.chance(0.1) ? (signature.slice(0, 66) as Hex) : signature
    const check = { abi: accountAbi, functionName: 'isValidSignature' } as const
    for (const signed of [digest, hash]) {
      const call = encodeFunctionData({ ...check, args: [signed, cut] })
      const verdict = await compare(owner, call, `signature of case ${i}`)
      outcomes.add(verdict.succeeded ? verdict.data.slice(0, 10) : 'refused')
    }
  }
  // a part, five reasons of handler and registry, a malformed input, and the three verdicts on signatures
  expect(outcomes.size).toBeGreaterThanOrEqual(9)
}, 120_000)
