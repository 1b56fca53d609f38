import type { Address, Hex } from 'viem'
import { findNetworkOf, nativeSentinel } from '../networks.ts'
import type { TokenBook, TokenReference } from '../tokens/findTokenFacts.ts'
import { describeNotification } from './describeNotification.ts'
import type { NotificationFacts } from './notificationFacts.ts'
import type { NotificationResponse, NotificationType, TokenAmount } from './notificationSchema.ts'
import { toTokenAmount } from './toTokenAmount.ts'

/** The public columns of a notification in the database. */
export type NotificationRow = {
  id: number
  chainId: number
  account: Address
  orderUid: Hex
  type: NotificationType
  facts: NotificationFacts
  createdAt: Date
}

/**
 * Builds a notification for the list and for every channel.
 * @param findToken metadata of the tokens of `listTokens`
 */
export const toNotification = (row: NotificationRow, findToken: TokenBook['find']): NotificationResponse => {
  const body = toTyped(row, findToken)
  const timestamp = row.createdAt.toISOString()
  return { id: String(row.id), account: row.account, ...body, message: describeNotification(body), timestamp }
}

/** The tokens whose metadata `toNotification` needs. */
export const listTokens = (rows: readonly NotificationRow[]): TokenReference[] =>
  rows.flatMap((row) => Object.values(toTraded(row)).map((address) => ({ chainId: row.chainId, address })))

/** `type` and the `metadata` that belongs to it. */
export type TypedNotification = {
  [Type in NotificationType]: Pick<Extract<NotificationResponse, { type: Type }>, 'type' | 'metadata'>
}[NotificationType]

const toTyped = (row: NotificationRow, findToken: TokenBook['find']): TypedNotification => {
  const { type, facts } = row
  const traded = toTraded(row)
  const toSell = toAmountOf(row.chainId, traded.sell, findToken)
  const toBuy = toAmountOf(row.chainId, traded.buy, findToken)
  switch (type) {
    case 'order_filled':
    case 'order_partially_filled':
    case 'price_improvement': {
      const trade = getFacts(row, 'trade')
      const { transactionHash, blockNumber, logIndex } = trade
      const gained = facts.kind === 'sell' ? toBuy : toSell
      const metadata = {
        ...toOrder(row, toSell, toBuy, transactionHash),
        transactionHash,
        blockNumber,
        logIndex,
        trade: { sell: toSell(trade.sellAmount), buy: toBuy(trade.buyAmount), fee: toSell(trade.feeAmount) },
        surplus: toGain(gained, BigInt(trade.surplus), BigInt(trade.limitAmount)),
        improvement: toImprovement(facts.kind, trade, gained),
      }
      return { type, metadata }
    }
    case 'order_expired':
      return { type, metadata: toOrder(row, toSell, toBuy, null) }
    case 'order_cancelled': {
      const { by, replacedBy, transactionHash } = getFacts(row, 'cancellation')
      const order = toOrder(row, toSell, toBuy, transactionHash)
      return { type, metadata: { ...order, transactionHash, cancelledBy: by, replacedBy } }
    }
    case 'insufficient_balance': {
      const { lacks, needed, available } = getFacts(row, 'funds')
      const missing = atLeastZero(BigInt(needed) - BigInt(available))
      const shortfall = { lacks, needed: toSell(needed), available: toSell(available), missing: toSell(missing) }
      return { type, metadata: { ...toOrder(row, toSell, toBuy, null), shortfall } }
    }
  }
}

/** When a contract placed the order for an account and sells the wrapped native token, the account paid in the native token. */
const toTraded = ({ chainId, facts }: NotificationRow): { sell: Address; buy: Address } => {
  const isNative = facts.placedOnchain && facts.sellToken === findNetworkOf(chainId)?.wrappedNative
  return { sell: isNative ? nativeSentinel : facts.sellToken, buy: facts.buyToken }
}

type ToAmount = (atoms: string | bigint) => TokenAmount

const toAmountOf = (chainId: number, token: Address, findToken: TokenBook['find']): ToAmount => {
  const facts = findToken(chainId, token)
  return (atoms) => toTokenAmount(token, facts, BigInt(atoms))
}

const getFacts = <Part extends 'trade' | 'cancellation' | 'funds'>(
  { id, type, facts }: NotificationRow,
  part: Part,
): NonNullable<NotificationFacts[Part]> => {
  const found = facts[part]
  if (found === undefined) throw new Error(`notification ${id}, ${type}: its facts have no ${part}`)
  return found
}

const toOrder = (
  { chainId, orderUid, facts }: NotificationRow,
  toSell: ToAmount,
  toBuy: ToAmount,
  transactionHash: Hex | null,
) => {
  const network = findNetworkOf(chainId)
  const name = network?.name ?? String(chainId)
  return {
    chainId,
    network: name,
    orderUid,
    kind: facts.kind,
    partiallyFillable: facts.partiallyFillable,
    sell: toSell(facts.sellAmount),
    buy: toBuy(facts.buyAmount),
    executed: {
      sell: toSell(facts.executedSellAmount),
      buy: toBuy(facts.executedBuyAmount),
      bps: computeFilledBps(facts),
    },
    validTo: facts.validTo,
    links: {
      order: `/${name}/api/v1/orders/${orderUid}`,
      transaction: network?.explorerUrl && transactionHash ? `${network.explorerUrl}/tx/${transactionHash}` : null,
    },
  }
}

const computeFilledBps = (facts: NotificationFacts): number => {
  const [executed, signed] =
    facts.kind === 'sell' ? [facts.executedSellAmount, facts.sellAmount] : [facts.executedBuyAmount, facts.buyAmount]
  return Math.min(toBps(BigInt(executed), BigInt(signed)), 10_000)
}

const toImprovement = (
  kind: NotificationFacts['kind'],
  { quotedAmount, sellAmount, buyAmount }: NonNullable<NotificationFacts['trade']>,
  toAmount: ToAmount,
) => {
  if (quotedAmount === null) return null
  const quoted = BigInt(quotedAmount)
  const gain = kind === 'sell' ? BigInt(buyAmount) - quoted : quoted - BigInt(sellAmount)
  return gain > 0n ? toGain(toAmount, gain, quoted) : null
}

const toGain = (toAmount: ToAmount, gain: bigint, base: bigint) => {
  const amount = atLeastZero(gain)
  return { ...toAmount(amount), bps: toBps(amount, base) }
}

/** Rounded down; 0 for an empty whole, capped at the largest safe integer. */
const toBps = (part: bigint, whole: bigint): number => {
  if (whole <= 0n) return 0
  const bps = (part * 10_000n) / whole
  return bps > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(bps)
}

const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
