import { type Address, BaseError, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { networks } from '#shared/networks.ts'
import { createDice, type Dice } from '#test/helpers/hostile/createDice.ts'
import { orderTypes } from '#test/helpers/orders/orderTypes.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { type SettlementChain, startSettlementChain } from '../../../helpers/chain/settlementChain.ts'
import { createContractModel, toPlainLogs } from './createContractModel.ts'
import { toFilledKey } from './settlementCode.ts'
import { toBalanceKey, tokenAbi } from './tokenCode.ts'

const { settlementContract, vaultRelayer, chainId } = networks.sepolia
const { address: owner, privateKey } = devAccounts[7]
const solver = devAccounts[8].address
const stranger = devAccounts[6].address
const cases = 120

let local: SettlementChain
let genesisTime: number

// a second try starts on a chain of its own, too
beforeEach(async () => {
  local = await startSettlementChain()
  genesisTime = Number((await local.chain.getBlock()).timestamp)
})
afterEach(() => local?.stop())

type Call = { from: Address; data: Hex }

const randomOrder = (dice: Dice) => {
  const { DAI, COW } = local.tokens
  const [sellToken, buyToken] = dice.chance(0.9) ? [DAI.address, COW.address] : [COW.address, DAI.address]
  return {
    ...{ sellToken, buyToken },
    receiver: dice.pick([zeroAddress, owner, stranger]),
    sellAmount: BigInt(dice.between(1, 1_000)),
    buyAmount: BigInt(dice.between(1, 1_000)),
    validTo: dice.chance(0.9) ? 4_000_000_000 + dice.between(0, 1_000) : 1_000_000_000,
    appData: `0x${'00'.repeat(32)}` as Hex,
    feeAmount: BigInt(dice.pick([0, 0, 0, dice.between(1, 50)])),
    kind: dice.pick(['sell', 'buy'] as const),
    partiallyFillable: dice.chance(0.5),
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  }
}
type RandomOrder = ReturnType<typeof randomOrder>

const domain = { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract: settlementContract }

const signTrade = async (dice: Dice, order: RandomOrder) => {
  const signer = privateKeyToAccount(privateKey)
  const typed = { domain, types: orderTypes, primaryType: 'Order' as const, message: order }
  const signature = await signer.signTypedData(typed)
  const flags = (order.kind === 'sell' ? 0n : 1n) | (order.partiallyFillable ? 2n : 0n)
  const broken: Hex = `0x${'11'.repeat(64)}1d`
  const kind = dice.between(0, 12)
  if (kind === 0) return { flags, signature: broken }
  if (kind === 1) return { flags, signature: signature.slice(0, -2) as Hex }
  if (kind === 2) return { flags: flags | (3n << 5n), signature: owner as Hex }
  if (kind === 3) return { flags: flags | (3n << 5n), signature: '0x1234' as Hex }
  if (kind === 4) return { flags: flags | (4n << 5n), signature }
  return { flags, signature }
}

/** Calls that settle one or two orders at prices near their limits, and much that must be refused. */
const randomSettle = async (dice: Dice, known: RandomOrder[]): Promise<Call> => {
  const order = known.length > 0 && dice.chance(0.3) ? dice.pick(known) : randomOrder(dice)
  known.push(order)
  const exact = order.kind === 'sell' ? order.sellAmount : order.buyAmount
  const executedAmount = dice.pick([exact, exact / 2n, exact + 1n, 1n])
  // at the limit the prices are the amounts of the other side
  const prices = [order.buyAmount + BigInt(dice.between(-1, 3)), order.sellAmount + BigInt(dice.between(-1, 1))]
  if (dice.chance(0.05)) prices[dice.between(0, 1)] = 0n
  const trade = {
    sellTokenIndex: 0n,
    buyTokenIndex: dice.chance(0.95) ? 1n : 2n,
    ...order,
    ...(await signTrade(dice, order)),
    executedAmount,
  }
  const send = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [stranger, 7n] })
  const interaction = { target: dice.pick([order.buyToken, order.buyToken, vaultRelayer]), value: 0n, callData: send }
  const interactions = [[], dice.chance(0.3) ? [interaction] : [], []] as const
  const data = encodeFunctionData({
    abi: settlementAbi,
    functionName: 'settle',
    args: [[order.sellToken, order.buyToken], prices, dice.chance(0.1) ? [trade, trade] : [trade], interactions],
  })
  return { from: dice.chance(0.95) ? solver : stranger, data }
}

const randomCall = async (dice: Dice, known: RandomOrder[], uids: readonly Hex[]): Promise<Call> => {
  const uid = uids.length > 0 ? dice.pick(uids) : (`0x${'12'.repeat(56)}` as Hex)
  const from = dice.pick([owner, owner, stranger])
  const kind = dice.between(0, 9)
  if (kind === 0)
    return { from, data: encodeFunctionData({ abi: settlementAbi, functionName: 'invalidateOrder', args: [uid] }) }
  if (kind === 1) {
    const signed = dice.chance(0.7)
    return {
      from,
      data: encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args: [uid, signed] }),
    }
  }
  return randomSettle(dice, known)
}

/** A reason of the settlement contract; those of tokens and of the machine differ in their words. */
const toReason = (text: string): string =>
  /((?:GPv2|SafeMath|ReentrancyGuard): [a-zA-Z0-9 ]+?)(?:$| Execution|[^a-zA-Z0-9 ])/.exec(text)?.[1] ?? 'other'

const runLocally = async ({ from, data }: Call) => {
  const call = { account: from, to: settlementContract, data, gas: 2_000_000n } as const
  try {
    await local.chain.call(call)
  } catch (error) {
    return {
      reason: toReason(error instanceof BaseError ? `${error.details} ${error.message}` : String(error)),
      logs: [],
    }
  }
  const hash = await local.chain.sendTransaction(call)
  const { logs } = await waitForReceipt(local.chain, hash)
  return { reason: undefined, logs: toPlainLogs(logs) }
}

test('the model of the settlement contract behaves like the contract', async () => {
  const dice = createDice(1, 'settlement')
  const model = createContractModel(local, genesisTime)
  const known: RandomOrder[] = []
  const uids: Hex[] = []
  const outcomes = new Map<string, number>()
  for (let i = 0; i < cases; i += 1) {
    const call = await randomCall(dice, known, uids)
    const actual = await runLocally(call)
    const facts = { ...model.head(), number: i + 2, timestamp: model.head().timestamp + i }
    const { succeeded, reason, logs } = model.machine.execute(
      { ...call, to: settlementContract, gas: 2_000_000n },
      facts,
    )
    const modelled = {
      reason: succeeded ? undefined : toReason(reason),
      logs: toPlainLogs(logs),
    }
    expect(modelled, `case ${i}`).toEqual(actual)
    outcomes.set(modelled.reason ?? 'succeeded', (outcomes.get(modelled.reason ?? 'succeeded') ?? 0) + 1)
    for (const { topics, data } of logs) if (topics[0] === tradeTopic) uids.push(`0x${data.slice(-128, -16)}`)
  }
  for (const uid of uids) {
    const filled = await local.chain.readContract({
      ...{ address: settlementContract, abi: settlementAbi, functionName: 'filledAmount', args: [uid] },
    } as const)
    expect(model.store.get(toFilledKey(uid)), uid).toBe(filled)
  }
  for (const token of [local.tokens.DAI.address, local.tokens.COW.address])
    for (const account of [owner, stranger, settlementContract] as const) {
      const args = [account] as const
      const balance = await local.chain.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args })
      expect(model.store.get(toBalanceKey(token, account)), `${token} ${account}`).toBe(balance)
    }
  // the cases reach every kind of outcome that they are made for
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining([
      'succeeded',
      'GPv2: not a solver',
      'GPv2: order filled',
      'GPv2: limit price not respected',
      'GPv2: order expired',
      'GPv2: forbidden interaction',
    ]),
  )
}, 120_000)

const tradeTopic = '0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17'
