import { type Address, encodeFunctionData, type Hex, zeroHash } from 'viem'
import { type EthFlowOrder, ethFlowAbi } from '../../helpers/chain/ethFlow.ts'
import { toNativeOrderUid } from '../chain/contracts/ethFlowCode.ts'
import type { Block } from '../chain/createChain.ts'
import { toWeiKey } from '../chain/machine.ts'
import { honestTokens, modelTokens, network } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import { readQuotedAmounts } from '../oracle/findPricingQuote.ts'
import { type ClientQuote, createAccount, type Participant, type World } from '../world.ts'
import { requestClientQuote } from './requests/requestClientQuote.ts'

/** Terms of an order that a trader decides. */
type NativeTerms = Pick<EthFlowOrder, 'buyToken' | 'sellAmount' | 'buyAmount' | 'validTo' | 'partiallyFillable'> & {
  quote?: ClientQuote
}
type ChooseTerms = (
  world: World,
  dice: Dice,
  block: Block,
  user: Address,
) => NativeTerms | Promise<NativeTerms | undefined>
type Dice = ReturnType<World['dice']>

const chooseNearMarket: ChooseTerms = ({ chain }, dice, block) => {
  const buy = dice.pick(honestTokens.filter((token) => token !== modelTokens.WETH))
  const sellAmount = BigInt(dice.between(1, 2_000)) * 10n ** 15n
  const output = estimateOutput(chain, block, modelTokens.WETH.address, buy.address, sellAmount)
  return {
    buyToken: buy.address,
    sellAmount,
    buyAmount: (output * BigInt(dice.between(9_700, 10_050))) / 10_000n,
    validTo: block.timestamp + dice.between(6, 30) * network.blockTimeSeconds,
    partiallyFillable: dice.chance(0.2),
  }
}

/** Requests a quote first, and names it in the order. */
const chooseQuoted: ChooseTerms = async (world, dice, block, user) => {
  const buy = dice.pick(honestTokens.filter((token) => token !== modelTokens.WETH))
  const amount = BigInt(dice.between(100, 2_000)) * 10n ** 15n
  const quote = await requestClientQuote(world, 'quoted native trader', {
    ...{ sellToken: modelTokens.WETH.address, buyToken: buy.address, from: user, receiver: user },
    ...{ kind: 'sell', sellAmountBeforeFee: `${amount}`, slippageBps: dice.between(50, 150) },
    ...{ signingScheme: 'eip1271', onchainOrder: true, appData: zeroHash, validFor: 1_200 },
  })
  if (!quote) return undefined
  const { sellAmount, buyAmount } = quote.amounts.afterSlippage
  return {
    buyToken: buy.address,
    ...{ sellAmount: BigInt(sellAmount), buyAmount: BigInt(buyAmount), partiallyFillable: false },
    validTo: block.timestamp + dice.between(10, 40) * network.blockTimeSeconds,
    quote,
  }
}

/**
 * Sells the native token by transactions: near the market, so that many orders fill. It ends some early, and has the
 * rest of those that expire refunded.
 */
export const createNativeTrader = (world: World, name: string): Participant =>
  create(world, name, chooseNearMarket, 0.12)

/** The same at quoted amounts. */
export const createQuotedNativeTrader = (world: World, name: string): Participant =>
  create(world, name, chooseQuoted, 0.06)

/** @param share part of the blocks in which it places an order */
const create = (world: World, name: string, chooseTerms: ChooseTerms, share: number): Participant => {
  const dice = world.dice(name)
  const account = createAccount(name)
  const { chain } = world
  chain.store.set(toWeiKey(account.address), 10n ** 22n)
  const open: { uid: Hex; order: EthFlowOrder; endsAt: number | undefined }[] = []

  const send = (functionName: 'createOrder' | 'invalidateOrder', order: EthFlowOrder, value = 0n): void => {
    const data = encodeFunctionData({ abi: ethFlowAbi, functionName, args: [order] })
    world.transact(account.address, network.ethFlow, data, { value })
  }
  const place = async (block: Block): Promise<void> => {
    const chosen = await chooseTerms(world, dice, block, account.address)
    if (!chosen) return
    const { quote, ...terms } = chosen
    const { sellAmount } = terms
    const quoteId = BigInt(quote?.id ?? 0)
    const order: EthFlowOrder = { ...terms, quoteId, receiver: account.address, appData: zeroHash, feeAmount: 0n }
    const uid = toNativeOrderUid(network, network.ethFlow, order)
    if (order.buyAmount === 0n || world.orders.has(uid)) return
    const { buyToken, receiver, buyAmount, partiallyFillable, validTo } = order
    world.orders.set(uid, {
      ...{ uid, trader: name, owner: network.ethFlow, receiver, sellToken: modelTokens.WETH.address, buyToken },
      ...{
        sellAmount,
        buyAmount,
        kind: 'sell',
        quoteId: quote?.id,
        quoted: quote && readQuotedAmounts(quote),
        partiallyFillable,
        validTo,
        scheme: 'native',
      },
      ...{
        hook: undefined,
        partnerFees: [],
        validFrom: 0,
        isTrap: false,
        placedAt: block.number,
        cancelledAt: undefined,
      },
    })
    world.log('places natively', { uid, order })
    send('createOrder', order, sellAmount)
    open.push({ uid, order, endsAt: dice.chance(0.3) ? block.number + dice.between(1, 5) : undefined })
  }
  /** Ends orders on their time: the transaction reverts when the placement was undone or the order has ended. */
  const endDue = (block: Block): void => {
    const expiredBefore = block.timestamp - network.blockTimeSeconds
    const isDue = ({ order, endsAt }: (typeof open)[number]) =>
      endsAt === undefined ? order.validTo < expiredBefore : endsAt <= block.number
    const next = open.findIndex(isDue)
    const [ended] = next < 0 ? [] : open.splice(next, 1)
    if (!ended) return
    const placed = world.orders.get(ended.uid)
    if (placed && ended.endsAt !== undefined) placed.cancelledAt = block.number
    world.log('ends natively', { uid: ended.uid })
    send('invalidateOrder', ended.order)
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2) return
      endDue(block)
      if (dice.chance(share)) await place(block)
    },
  }
}
