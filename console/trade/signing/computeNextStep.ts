import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import type { Holding } from '../funds/balances.ts'

/** What stands between the person and the order, or what to do next. */
export type NextStep =
  /** nothing can be done before something changes; `why` says what */
  | { do: 'wait'; why: string }
  | { do: 'connect' }
  | { do: 'switchChain' }
  /** the account has less than the order book asks for, sell token atoms */
  | { do: 'fund'; available: bigint; needed: bigint }
  /** so many sell token atoms the vault relayer has to be allowed to move */
  | { do: 'approve'; needed: bigint }
  | { do: 'sign' }

type Facts = {
  draft: Draft
  /** one of the tokens is still being asked about */
  isLoading: boolean
  /** the amounts that the order would have; undefined: there is no offer to take */
  signed: Amounts | undefined
  /** the market is asked, and has not said anything yet */
  isAsking: boolean
  wallet: { chainId: number } | null
  network: { chainId: number; label: string }
  /** of the sell token; undefined: unknown, then the order book judges */
  holding: Holding | undefined
}

export const computeNextStep = (facts: Facts): NextStep => {
  const missing = findMissing(facts)
  if (missing) return { do: 'wait', why: missing }
  const { draft, signed, isAsking, wallet, network, holding } = facts
  if (!wallet) return { do: 'connect' }
  if (wallet.chainId !== network.chainId) return { do: 'switchChain' }
  if (isAsking) return { do: 'wait', why: 'Waiting for an offer …' }
  if (!signed) return { do: 'wait', why: 'There is no offer to take' }
  if (!holding) return { do: 'sign' }
  // the order book asks no more of an order that fills by parts
  const { sellAmount } = signed
  const least = draft.isPartiallyFillable ? 1n : sellAmount
  if (holding.balance < least) return { do: 'fund', available: holding.balance, needed: least }
  return holding.allowance < sellAmount ? { do: 'approve', needed: sellAmount } : { do: 'sign' }
}

const findMissing = ({ draft, isLoading }: Facts): string | undefined => {
  const { sell, buy, amount, type, price, limit, faults } = draft
  if (isLoading) return 'Asking about the tokens …'
  if (!sell) return 'Choose the token to sell'
  if (!buy) return 'Choose the token to buy'
  if (Object.values(faults).some((fault) => fault !== undefined)) return 'Mend what is marked above'
  if (amount === undefined) return 'Say how much'
  if (type === 'limit' && !price) return 'Say at what price'
  if (type === 'limit' && !limit) return 'At this price the order would move nothing'
  return undefined
}
