import type { Address, Hex } from 'viem'
import { findNetworkOf, nativeSentinel } from '../networks.ts'
import type { TokenBook, TokenReference } from '../tokens/findTokenFacts.ts'
import type { ToAmount } from './metadataShapes.ts'
import { notificationDeclarations } from './notificationDeclarations.ts'
import type { NotificationFacts } from './notificationFacts.ts'
import type { NotificationResponse } from './notificationSchema.ts'
import type { NotificationType } from './notificationTypes.ts'
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
  const { id, account, type, createdAt } = row
  const traded = toTraded(row)
  const toSell = toAmountOf(row.chainId, traded.sell, findToken)
  const toBuy = toAmountOf(row.chainId, traded.buy, findToken)
  const body = notificationDeclarations[type].buildBody({ ...row, toSell, toBuy })
  // a body has the metadata of the type that built it
  return { id: String(id), account, type, ...body, timestamp: createdAt.toISOString() } as NotificationResponse
}

/** The tokens whose metadata `toNotification` needs. */
export const listTokens = (rows: readonly NotificationRow[]): TokenReference[] =>
  rows.flatMap((row) => Object.values(toTraded(row)).map((address) => ({ chainId: row.chainId, address })))

/** When a contract placed the order for an account and sells the wrapped native token, the account paid in the native token. */
const toTraded = ({ chainId, facts }: NotificationRow): { sell: Address; buy: Address } => {
  const isNative = facts.placedOnchain && facts.sellToken === findNetworkOf(chainId)?.wrappedNative
  return { sell: isNative ? nativeSentinel : facts.sellToken, buy: facts.buyToken }
}

const toAmountOf = (chainId: number, token: Address, findToken: TokenBook['find']): ToAmount => {
  const facts = findToken(chainId, token)
  return (atoms) => toTokenAmount(token, facts, BigInt(atoms))
}
