import type { Holding } from '../../actions/balances.ts'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { findTradeRoute, isWrapping } from '../draft/findTradeRoute.ts'

/** What blocks the order, or the next step. */
export type NextStep =
  /** blocked until something changes; `why` has the reason */
  | { do: 'wait'; why: string }
  | { do: 'connect' }
  | { do: 'switchChain' }
  /** the balance is below the order book's minimum, sell token atoms */
  | { do: 'fund'; available: bigint; needed: bigint }
  /** allowance that the vault relayer needs, sell token atoms */
  | { do: 'approve'; needed: bigint }
  | { do: 'sign' }
  /** a transaction sells the native token, wraps or unwraps it */
  | { do: 'transact'; route: 'native' | 'wrap' | 'unwrap' }

type Facts = {
  draft: Draft
  /** one of the tokens is still loading */
  isLoading: boolean
  /** amounts of the order; undefined without an offer */
  signed: Amounts | undefined
  /** quotes are requested but none has arrived */
  isRequesting: boolean
  wallet: { chainId: number } | null
  network: { chainId: number; label: string; wrappedNative: string }
  /** of the sell token; undefined: unknown, so the order book decides */
  holding: Holding | undefined
}

export const computeNextStep = (facts: Facts): NextStep => {
  const missing = findMissing(facts)
  if (missing) return { do: 'wait', why: missing }
  const { draft, signed, isRequesting, wallet, network, holding } = facts
  if (!wallet) return { do: 'connect' }
  if (wallet.chainId !== network.chainId) return { do: 'switchChain' }
  const route = findTradeRoute(draft, network.wrappedNative)
  if (isWrapping(route)) {
    const { amount = 0n } = draft
    return holding && holding.balance < amount
      ? { do: 'fund', available: holding.balance, needed: amount }
      : { do: 'transact', route }
  }
  if (isRequesting) return { do: 'wait', why: 'Fetching a live price …' }
  if (!signed) return { do: 'wait', why: 'No price available' }
  const { sellAmount } = signed
  if (route === 'native') {
    return holding && holding.balance < sellAmount
      ? { do: 'fund', available: holding.balance, needed: sellAmount }
      : { do: 'transact', route }
  }
  if (!holding) return { do: 'sign' }
  // minimum of the order book for partially fillable orders
  const least = draft.isPartiallyFillable ? 1n : sellAmount
  if (holding.balance < least) return { do: 'fund', available: holding.balance, needed: least }
  return holding.allowance < sellAmount ? { do: 'approve', needed: sellAmount } : { do: 'sign' }
}

const findMissing = ({ draft, isLoading, network }: Facts): string | undefined => {
  const { sell, buy, amount, type, price, limit, faults } = draft
  if (isLoading) return 'Loading the tokens …'
  if (!sell) return 'Select a token to sell'
  if (!buy) return 'Select a token to buy'
  if (Object.values(faults).some((fault) => fault !== undefined)) return 'Fix the errors above'
  if (amount === undefined) return 'Enter an amount'
  if (isWrapping(findTradeRoute(draft, network.wrappedNative))) return undefined
  if (type === 'limit' && !price) return 'Enter a limit price'
  if (type === 'limit' && !limit) return 'Amount too small at this price'
  return undefined
}
