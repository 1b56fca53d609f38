import { type Address, BaseError, encodeFunctionData, type Hex, keccak256, toHex, zeroAddress } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { networks } from '#shared/networks.ts'
import { createDice, type Dice } from '#test/helpers/hostile/createDice.ts'
import { deployEthFlow } from '#tools/stack/chain/contracts/deployEthFlow.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import {
  buildEthFlowOrder,
  type EthFlowOrder,
  encodeEthFlowSettlement,
  ethFlowAbi,
  uidOfEthFlow,
} from '../../../helpers/chain/ethFlow.ts'
import { type SettlementChain, startSettlementChain } from '../../../helpers/chain/settlementChain.ts'
import { toWeiKey } from '../machine.ts'
import { createContractModel, toPlainLogs } from './createContractModel.ts'
import { isLiveNativeOrder, toNativeOrderUid } from './ethFlowCode.ts'
import { toFilledKey } from './settlementCode.ts'
import { toBalanceKey, tokenAbi } from './tokenCode.ts'

const { ethFlow, settlementContract, wrappedNative } = networks.sepolia
const users = [devAccounts[0].address, devAccounts[1].address] as const
const solver = devAccounts[8].address
const cases = 160

let local: SettlementChain
let time: number

// a second try starts on a chain of its own, too
beforeEach(async () => {
  local = await startSettlementChain()
  await deployEthFlow(local.chain)
  time = Number((await local.chain.getBlock()).timestamp)
})
afterEach(() => local?.stop())

type Call = { from: Address; to: Address; data: Hex; value: bigint }

const randomOrder = (dice: Dice): EthFlowOrder =>
  buildEthFlowOrder({
    buyToken: local.tokens.COW.address,
    receiver: dice.chance(0.95) ? dice.pick(users) : zeroAddress,
    sellAmount: dice.chance(0.1) ? 0n : BigInt(dice.between(1, 1_000)),
    buyAmount: BigInt(dice.between(1, 100)),
    appData: keccak256(toHex(`${dice.between(0, 3)}`)),
    feeAmount: BigInt(dice.pick([0, 0, dice.between(1, 50)])),
    validTo: time + dice.between(-1, 40),
    partiallyFillable: dice.chance(0.5),
    quoteId: BigInt(dice.between(-2, 2)),
  })

const encodeEnd = (dice: Dice, order: EthFlowOrder, known: readonly EthFlowOrder[]): Hex =>
  dice.chance(0.7)
    ? encodeFunctionData({ abi: ethFlowAbi, functionName: 'invalidateOrder', args: [order] })
    : encodeFunctionData({
        abi: ethFlowAbi,
        functionName: 'invalidateOrdersIgnoringNotAllowed',
        args: [[order, dice.pick(known), order]],
      })

/** Calls that place, end and settle orders, and much that must be refused. */
const randomCall = (dice: Dice, known: EthFlowOrder[]): Call => {
  const from = dice.pick(users)
  const kind = dice.between(0, 9)
  const own = { from, to: ethFlow, value: 0n }
  if (known.length === 0 || kind <= 3) {
    const order = known.length > 0 && dice.chance(0.15) ? dice.pick(known) : randomOrder(dice)
    known.push(order)
    const value = order.sellAmount + order.feeAmount + BigInt(dice.pick([0, 0, 0, 0, 0, 0, 1]))
    return { ...own, value, data: encodeFunctionData({ abi: ethFlowAbi, functionName: 'createOrder', args: [order] }) }
  }
  const order = dice.pick(known.slice(-8))
  if (kind <= 5) return { ...own, data: encodeEnd(dice, order, known) }
  if (kind === 6) {
    const amount = BigInt(dice.between(0, 500))
    const functionName = dice.pick(['wrap', 'unwrap'] as const)
    return { ...own, data: encodeFunctionData({ abi: ethFlowAbi, functionName, args: [amount] }) }
  }
  const sold = order.partiallyFillable && dice.chance(0.5) ? order.sellAmount / 2n : order.sellAmount
  const bought = (order.buyAmount * sold) / (order.sellAmount || 1n) + BigInt(dice.between(0, 2))
  return { from: solver, to: settlementContract, value: 0n, data: encodeEthFlowSettlement(order, sold, bought) }
}

const errors = ethFlowAbi.flatMap((item) => (item.type === 'error' ? [item.name] : []))
/** A reason of the two contracts; those of tokens and of the machine differ in their words. */
const toReason = (text: string): string =>
  errors.find((name) => text.includes(name)) ??
  /((?:GPv2|SafeMath): [a-zA-Z0-9 ]+?)(?:$| Execution|[^a-zA-Z0-9 ])/.exec(text)?.[1] ??
  'other'

const runLocally = async ({ from, ...call }: Call) => {
  const message = { account: from, ...call, gas: 2_000_000n } as const
  try {
    await local.chain.call({ ...message, blockOverrides: { time: BigInt(time) } })
  } catch (error) {
    const data =
      error instanceof BaseError ? (error.walk((cause) => 'data' in (cause as object)) as { data?: Hex }) : {}
    return {
      reason: toReason(`${nameError(data?.data)} ${error instanceof BaseError ? error.details : error}`),
      logs: [],
    }
  }
  await local.chain.setNextBlockTimestamp({ timestamp: BigInt(time) })
  const hash = await local.chain.sendTransaction(message)
  const { logs, status } = await waitForReceipt(local.chain, hash)
  expect(status).toBe('success')
  return { reason: undefined, logs: toPlainLogs(logs) }
}

/** Name of an error of the contract by its return data. */
const nameError = (data: Hex | undefined): string =>
  ethFlowAbi.find((item) => item.type === 'error' && data?.startsWith(selectorOf(item.name, item.inputs.length)))
    ?.name ?? ''
const selectorOf = (name: string, inputs: number): Hex =>
  keccak256(toHex(`${name}(${inputs > 0 ? 'bytes32' : ''})`)).slice(0, 10) as Hex

test('the model of the native-token order contract behaves like the contract', async () => {
  const dice = createDice(1, 'native orders')
  const model = createContractModel(local, time)
  const known: EthFlowOrder[] = []
  const outcomes = new Map<string, number>()
  const readWord = (functionName: 'filledAmount', uid: Hex) =>
    local.chain.readContract({ address: settlementContract, abi: settlementAbi, functionName, args: [uid] })
  for (let i = 0; i < cases; i += 1) {
    time += dice.between(1, 6)
    const call = randomCall(dice, known)
    const actual = await runLocally(call)
    const facts = { ...model.head(), number: i + 2, timestamp: time }
    const { succeeded, reason, logs } = model.machine.execute({ ...call, gas: 2_000_000n }, facts)
    const modelled = { reason: succeeded ? undefined : toReason(reason), logs: toPlainLogs(logs) }
    expect(modelled, `case ${i}`).toEqual(actual)
    const name = modelled.reason ?? `succeeded at ${call.to}`
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
    const native = await local.chain.getBalance({ address: ethFlow })
    expect(model.store.get(toWeiKey(ethFlow)), `case ${i}`).toBe(native)
  }
  for (const order of known) {
    const uid = uidOfEthFlow(order)
    expect(toNativeOrderUid(networks.sepolia, ethFlow, order)).toBe(uid)
    expect(model.store.get(toFilledKey(uid)), uid).toBe(await readWord('filledAmount', uid))
    const args = [uid.slice(0, 66) as Hex, '0x'] as const
    const signature = await local.chain.readContract({
      ...{ address: ethFlow, abi: ethFlowAbi, functionName: 'isValidSignature', args },
      blockOverrides: { time: BigInt(time) },
    } as const)
    expect(isLiveNativeOrder(model, uid, time), uid).toBe(signature === '0x1626ba7e')
  }
  for (const account of [ethFlow, settlementContract] as const) {
    const read = { address: wrappedNative, abi: tokenAbi, functionName: 'balanceOf', args: [account] } as const
    expect(model.store.get(toBalanceKey(wrappedNative, account)), account).toBe(await local.chain.readContract(read))
  }
  // the cases reach every kind of outcome that they are made for
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining([
      ...[`succeeded at ${ethFlow}`, `succeeded at ${settlementContract}`],
      ...['IncorrectEthAmount', 'NotAllowedZeroSellAmount', 'OrderIsAlreadyExpired', 'ReceiverMustBeSet'],
      ...['OrderIsAlreadyOwned', 'NotAllowedToInvalidateOrder'],
      ...['GPv2: order filled', 'GPv2: invalid eip1271 signature'],
    ]),
  )
}, 120_000)
