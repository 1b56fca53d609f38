import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseEventLogs,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import {
  buildEthFlowOrder,
  createEthFlowOrder,
  digestOfEthFlow,
  type EthFlowOrder,
  encodeEthFlowSettlement,
  ethFlowAbi,
  invalidateEthFlowOrder,
  toSignedOrder,
  uidOfEthFlow,
} from '#test/helpers/chain/ethFlow.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { onchainOrdersAbi } from '../../../../functions/auctions/indexing/placements/onchainOrdersAbi.ts'
import { devAccounts } from '../devAccounts.ts'
import { sendFrom } from '../sendFrom.ts'
import { waitForReceipt } from '../waitForReceipt.ts'
import { deployEthFlow } from './deployEthFlow.ts'

const { ethFlow, settlementContract, vaultRelayer, wrappedNative } = networks.sepolia
const [owner, stranger] = [devAccounts[0].address, devAccounts[1].address]
const contract = { address: ethFlow, abi: ethFlowAbi } as const
const magic = '0x1626ba7e'

let local: SettlementChain

beforeAll(async () => {
  local = await startSettlementChain()
  await deployEthFlow(local.chain)
})

afterAll(() => local?.stop())

let count = 0n
/** Creates a different order of `owner` on each call. */
const build = (changes: Partial<EthFlowOrder> = {}): EthFlowOrder =>
  buildEthFlowOrder({ buyToken: local.tokens.COW.address, receiver: owner, buyAmount: ++count, ...changes })

const readNow = async (): Promise<number> => Number((await local.chain.getBlock()).timestamp)
const readSignature = (digest: Hex) =>
  local.chain.readContract({ ...contract, functionName: 'isValidSignature', args: [digest, '0x'] })
const readWrapped = (of: Address) =>
  local.chain.readContract({ address: wrappedNative, abi: erc20Abi, functionName: 'balanceOf', args: [of] })
const readNative = (of: Address) => local.chain.getBalance({ address: of })

/** Mines a block after the last second of an order. */
const passBy = async (order: EthFlowOrder): Promise<void> => {
  await local.chain.setNextBlockTimestamp({ timestamp: BigInt(order.validTo + 1) })
  await local.mine(1)
}

const findLogs = async () => {
  const logs = await local.chain.getLogs({ address: ethFlow, fromBlock: await local.chain.getBlockNumber() })
  return parseEventLogs({ abi: onchainOrdersAbi, logs })
}

/** Name and arguments of a call's revert error. */
const findError = async (call: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (!(error instanceof BaseError)) throw new Error('it does not revert')
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
  const { errorName, args } = (reverted as ContractFunctionRevertedError | null)?.data ?? {}
  return [errorName, ...(args ?? [])]
}
const tryCreate = (order: EthFlowOrder, value = order.sellAmount + order.feeAmount) =>
  findError(
    local.chain.simulateContract({ ...contract, functionName: 'createOrder', args: [order], account: owner, value }),
  )
const tryInvalidate = (order: EthFlowOrder, account: Address) =>
  findError(local.chain.simulateContract({ ...contract, functionName: 'invalidateOrder', args: [order], account }))

test('is bound to settlement contract and wrapped token, with full approval of the relayer', async () => {
  const read = (functionName: 'cowSwapSettlement' | 'wrappedNativeToken') =>
    local.chain.readContract({ ...contract, functionName })
  expect((await read('cowSwapSettlement')).toLowerCase()).toBe(settlementContract)
  expect((await read('wrappedNativeToken')).toLowerCase()).toBe(wrappedNative)
  const args = [ethFlow, vaultRelayer] as const
  const allowance = { address: wrappedNative, abi: erc20Abi, functionName: 'allowance', args } as const
  expect(await local.chain.readContract(allowance)).toBe(2n ** 256n - 1n)
})

describe('placing', () => {
  test('announces the order with its digest, quote and user validity, and signs it', async () => {
    const order = build({ quoteId: -2n, feeAmount: 5n })
    expect(await readSignature(digestOfEthFlow(order))).toBe('0xffffffff')
    await createEthFlowOrder(local.chain, owner, order)
    expect(await readSignature(digestOfEthFlow(order))).toBe(magic)
    const placed = await local.chain.readContract({
      ...contract,
      functionName: 'orders',
      args: [digestOfEthFlow(order)],
    })
    expect([placed[0].toLowerCase(), placed[1]]).toEqual([owner, order.validTo])

    const [log] = await findLogs()
    if (log?.eventName !== 'OrderPlacement') throw new Error('no placement')
    expect(log.args.sender.toLowerCase()).toBe(owner)
    const { appDataHash, kind, sellTokenBalance, buyTokenBalance, ...same } = toSignedOrder(order)
    const announced = { ...log.args.order, sellToken: log.args.order.sellToken.toLowerCase() }
    expect(announced).toMatchObject({ validTo: same.validTo, sellAmount: 1_000n, feeAmount: 5n, appData: appDataHash })
    expect(announced.sellToken).toBe(same.sellToken)
    expect(log.args.signature).toMatchObject({ scheme: 0, data: ethFlow })
    expect(log.args.data).toBe(`0xfffffffffffffffe${order.validTo.toString(16).padStart(8, '0')}`)
  })

  test('refuses a wrong value, a zero amount, an expired order, a zero receiver and a repeated order', async () => {
    const order = build({ feeAmount: 5n })
    expect(await tryCreate(order, 1_004n)).toEqual(['IncorrectEthAmount'])
    expect(await tryCreate(order, 1_006n)).toEqual(['IncorrectEthAmount'])
    expect(await tryCreate(build({ sellAmount: 0n }))).toEqual(['NotAllowedZeroSellAmount'])
    expect(await tryCreate(build({ validTo: (await readNow()) - 1 }))).toEqual(['OrderIsAlreadyExpired'])
    expect(await tryCreate(build({ receiver: `0x${'00'.repeat(20)}` }))).toEqual(['ReceiverMustBeSet'])
    await createEthFlowOrder(local.chain, owner, order)
    const again = { ...order, validTo: order.validTo + 1, quoteId: 9n }
    expect(await tryCreate(again)).toEqual(['OrderIsAlreadyOwned', digestOfEthFlow(order)])
    await invalidateEthFlowOrder(local.chain, owner, order)
    expect(await tryCreate(again)).toEqual(['OrderIsAlreadyOwned', digestOfEthFlow(order)])
  })
})

describe('ending', () => {
  test('lets only the owner end a live order, refunds it and removes its signature', async () => {
    const order = build({ feeAmount: 5n })
    await createEthFlowOrder(local.chain, owner, order)
    const digest = digestOfEthFlow(order)
    expect(await tryInvalidate(order, stranger)).toEqual(['NotAllowedToInvalidateOrder', digest])
    await local.chain.setBalance({ address: owner, value: 10n ** 20n })
    const [held, block] = [await readNative(ethFlow), await local.chain.getBlock()]
    await invalidateEthFlowOrder(local.chain, owner, order)
    expect(await readNative(ethFlow)).toBe(held - 1_005n)
    expect((await local.chain.getBlock()).number).toBe(block.number + 1n)
    expect(await findLogs()).toMatchObject([
      { eventName: 'OrderInvalidation', args: { orderUid: uidOfEthFlow(order) } },
    ])
    expect(await readSignature(digest)).toBe('0xffffffff')
    expect(await tryInvalidate(order, owner)).toEqual(['NotAllowedToInvalidateOrder', digest])
  })

  test('has no owner for an unknown order', async () => {
    const order = build()
    expect(await tryInvalidate(order, owner)).toEqual(['NotAllowedToInvalidateOrder', digestOfEthFlow(order)])
  })

  test('lets any account refund the owner after expiry', async () => {
    const order = build({ validTo: (await readNow()) + 30 })
    await createEthFlowOrder(local.chain, owner, order)
    await passBy(order)
    expect(await readSignature(digestOfEthFlow(order))).toBe('0xffffffff')
    const before = await readNative(owner)
    await invalidateEthFlowOrder(local.chain, stranger, order)
    expect((await readNative(owner)) - before).toBe(1_000n)
    const [refund] = await findLogs()
    expect(refund).toMatchObject({ eventName: 'OrderRefund', args: { orderUid: uidOfEthFlow(order) } })
    expect(await tryInvalidate(order, stranger)).toEqual(['NotAllowedToInvalidateOrder', digestOfEthFlow(order)])
  })

  test('ends several orders at once, except those of other owners', async () => {
    const [live, expired] = [build(), build({ validTo: (await readNow()) + 30 })]
    await createEthFlowOrder(local.chain, owner, live)
    await createEthFlowOrder(local.chain, owner, expired)
    await passBy(expired)
    const { request } = await local.chain.simulateContract({
      ...contract,
      functionName: 'invalidateOrdersIgnoringNotAllowed',
      args: [[live, expired, build()]],
      account: stranger,
    })
    await waitForReceipt(local.chain, await local.chain.writeContract(request))
    expect((await findLogs()).map(({ eventName }) => eventName)).toEqual(['OrderRefund'])
    expect(await readSignature(digestOfEthFlow(live))).toBe(magic)
  })

  test('refunds the unsold rest after a partial fill, unwrapping where necessary', async () => {
    const order = build({ partiallyFillable: true, feeAmount: 7n })
    await createEthFlowOrder(local.chain, owner, order)
    await sendFrom(local.chain, local.solver, {
      to: settlementContract,
      data: encodeEthFlowSettlement(order, 301n, 900n),
    })
    expect(await readNative(ethFlow)).toBe(0n)
    const fee = (7n * 301n) / 1_000n
    const wrapped = await readWrapped(ethFlow)
    await invalidateEthFlowOrder(local.chain, owner, order)
    expect(wrapped - (await readWrapped(ethFlow))).toBe(1_007n - 301n - fee)
    expect(await readNative(ethFlow)).toBe(0n)
  })
})

test('wraps and unwraps the whole balance', async () => {
  await createEthFlowOrder(local.chain, owner, build())
  const total = (await readNative(ethFlow)) + (await readWrapped(ethFlow))
  const call = async (data: Hex) => {
    await sendFrom(local.chain, stranger, { to: ethFlow, data })
    return [await readNative(ethFlow), await readWrapped(ethFlow)]
  }
  const encode = (functionName: 'wrap' | 'unwrap', amount: bigint) =>
    encodeFunctionData({ abi: ethFlowAbi, functionName, args: [amount] })
  expect(await call(encodeFunctionData({ abi: ethFlowAbi, functionName: 'wrapAll' }))).toEqual([0n, total])
  expect(await call(encode('unwrap', 600n))).toEqual([600n, total - 600n])
  expect(await call(encode('wrap', 250n))).toEqual([350n, total - 350n])
})
