import { type Address, zeroAddress } from 'viem'
import type { ParsedAppData, PartnerFee } from '../appData/parseAppData.ts'
import { ApiError } from '../http/errors.ts'
import { type Network, nativeSentinel } from '../networks.ts'
import type { Order } from '../signing/order.ts'
import type { OrderCreation } from './orderCreation.ts'

const maxLifetimeSeconds = 31_536_000

/**
 * Checks that both amounts are above zero.
 * @throws ApiError `ZeroAmount`
 */
export const checkAmounts = (order: Pick<OrderCreation, 'sellAmount' | 'buyAmount'>): void => {
  if (order.sellAmount === 0n || order.buyAmount === 0n) {
    throw new ApiError('ZeroAmount', { data: { field: order.sellAmount === 0n ? 'sellAmount' : 'buyAmount' } })
  }
}

/**
 * Checks that an order uses plain ERC-20 balances; balances inside Balancer's Vault are not supported.
 * @throws ApiError `UnsupportedBuyTokenDestination`, `UnsupportedSellTokenSource`
 */
export const checkTokenBalances = (order: Pick<Order, 'sellTokenBalance' | 'buyTokenBalance'>): void => {
  if (order.buyTokenBalance !== 'erc20') {
    throw new ApiError('UnsupportedBuyTokenDestination', { data: { got: order.buyTokenBalance } })
  }
  if (order.sellTokenBalance !== 'erc20') {
    throw new ApiError('UnsupportedSellTokenSource', { data: { got: order.sellTokenBalance } })
  }
}

/**
 * Checks that an order stays valid long enough for an auction.
 * @param now Unix seconds
 * @param minSeconds minimum remaining validity, `MIN_VALIDITY_SECONDS`
 * @throws ApiError `OrderExpired`, `InsufficientValidTo`
 */
export const checkExpiry = (validTo: number, now: number, minSeconds: number): void => {
  if (validTo < now) throw new ApiError('OrderExpired', { data: { validTo, now } })
  const earliest = now + minSeconds
  if (validTo < earliest) throw new ApiError('InsufficientValidTo', { data: { validTo, earliest } })
}

/**
 * Checks that an order expires within a year. Presign orders have no upper bound, because their on-chain signature may
 * take longer.
 * @param now Unix seconds
 * @throws ApiError `ExcessiveValidTo`
 */
export const checkLifetime = (
  { validTo, signingScheme }: Pick<OrderCreation, 'validTo' | 'signingScheme'>,
  now: number,
): void => {
  const latest = now + maxLifetimeSeconds
  if (signingScheme !== 'presign' && validTo > latest) {
    throw new ApiError('ExcessiveValidTo', { data: { validTo, latest } })
  }
}

/**
 * Checks that the tokens differ and the sell token is an ERC-20. Selling the wrapped native token for the native one is
 * unwrapping, not a trade.
 * @throws ApiError `SameBuyAndSellToken`, `InvalidNativeSellToken`
 */
export const checkTokens = (
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  wrappedNative: Address,
): void => {
  if (sellToken === buyToken || (sellToken === wrappedNative && buyToken === nativeSentinel)) {
    throw new ApiError('SameBuyAndSellToken', { data: { sellToken, buyToken } })
  }
  if (sellToken === nativeSentinel) {
    throw new ApiError('InvalidNativeSellToken', { data: { sellToken, wrappedNative } })
  }
}

/**
 * The contract that receives the bought tokens and has no way to return them: a token of the order, the vault relayer,
 * the placeholder of the native token, or the settlement contract, which only a loan or a wrapper takes them from.
 * @returns undefined for any other receiver
 */
export const findLosingReceiver = (
  { receiver, sellToken, buyToken }: { receiver: Address | null; sellToken: Address; buyToken: Address },
  { wrappedNative, settlementContract, vaultRelayer }: ReceiverContracts,
  appData: PassingOn | null,
): string | undefined => {
  const passesOn = !appData || appData.flashloan !== null || appData.wrappers.length > 0
  const contracts: [name: string, contract: Address | null][] = [
    ['the sell token', sellToken],
    ['the buy token', buyToken],
    ['the wrapped native token', buyToken === nativeSentinel ? wrappedNative : null],
    ['the placeholder of the native token', nativeSentinel],
    ['the vault relayer', vaultRelayer],
    ['the settlement contract', passesOn ? null : settlementContract],
  ]
  return receiver === null ? undefined : contracts.find(([, contract]) => contract === receiver)?.[0]
}

/** What takes bought tokens from the settlement contract; null: the document is not known yet. */
export type PassingOn = Pick<ParsedAppData, 'flashloan' | 'wrappers'>
type ReceiverContracts = Pick<Network, 'wrappedNative' | 'settlementContract' | 'vaultRelayer'>

/**
 * Checks that the bought tokens do not go to a contract that has no way to return them.
 * @throws ApiError `InvalidParameter` naming `receiver`
 */
export const checkReceiver = (
  order: Parameters<typeof findLosingReceiver>[0],
  contracts: ReceiverContracts,
  appData: PassingOn | null,
): void => {
  const name = findLosingReceiver(order, contracts, appData)
  if (!name) return
  throw new ApiError('InvalidParameter', {
    description: `receiver is ${name}, which cannot return the bought tokens; set receiver to an account, or omit it`,
    data: { field: 'receiver', got: order.receiver },
  })
}

/**
 * Rejects tokens that this deployment does not trade, such as fee-on-transfer tokens.
 * @param unsupportedTokens the setting `UNSUPPORTED_TOKENS`
 * @throws ApiError `UnsupportedToken`
 */
export const checkTokensSupported = (
  unsupportedTokens: ReadonlySet<Address>,
  tokens: { sellToken: Address; buyToken: Address },
): void => {
  for (const field of ['sellToken', 'buyToken'] as const) {
    const token = tokens[field]
    if (unsupportedTokens.has(token)) throw new ApiError('UnsupportedToken', { data: { field, token } })
  }
}

/** The known accounts that sign an order or are paid by it. */
export type OrderParties = {
  owner?: Address
  receiver?: Address | null
  partnerFees?: readonly Pick<PartnerFee, 'recipient'>[] | undefined
}

/**
 * Checks that no banned account trades or is paid. Targets of hooks are not checked: a hook may call any contract, and
 * the recipients are unknown before it runs. The zero address is ignored.
 * @throws ApiError `Forbidden` naming the field
 */
export const checkNotBanned = (
  bannedUsers: ReadonlySet<Address>,
  { owner, receiver, partnerFees = [] }: OrderParties,
): void => {
  const parties: [field: string, account: Address | null | undefined][] = [
    ['from', owner],
    ['receiver', receiver],
    ...partnerFees.map(({ recipient }, i): [string, Address] => [`metadata.partnerFee.${i}.recipient`, recipient]),
  ]
  for (const [field, account] of parties) {
    if (!account || account === zeroAddress || !bannedUsers.has(account)) continue
    throw new ApiError('Forbidden', { description: `${field} is banned from trading`, data: { field, account } })
  }
}
