import type { Holding } from '../../actions/balances.ts'
import type { Abilities } from '../../wallet/readAbilities.ts'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { findTradeRoute, isWrapping } from '../draft/findTradeRoute.ts'
import { findMissing } from '../step/computeNextStep.ts'
import { computeMinimumPart } from './buildTwap.ts'
import type { SafeSetUp } from './safeSetUp.ts'

/** Next step of a TWAP, or what prevents it. */
export type TwapStep =
  | { do: 'wait'; why: string }
  | { do: 'connect' }
  | { do: 'switchChain' }
  /** the account is no Safe: it has a key, or is another contract */
  | { do: 'explain'; account: 'key' | 'contract' }
  /** sell token atoms */
  | { do: 'fund'; available: bigint; needed: bigint }
  /** the network cost takes too much of each part, sell token atoms */
  | { do: 'enlarge'; minimum: bigint }
  | { do: 'create'; setUp: SafeSetUp; signed: Amounts }

type Facts = {
  /** of one part */
  draft: Draft
  parts: number
  isLoading: boolean
  /** amounts of each part; undefined without an offer */
  signed: Amounts | undefined
  /** quotes are requested but none has arrived */
  isRequesting: boolean
  /** network cost of each part, sell token atoms */
  networkCost: bigint
  wallet: { chainId: number } | null
  network: { chainId: number; label: string; wrappedNative: string }
  /** of the sell token; undefined: unknown */
  holding: Holding | undefined
  abilities: Abilities | undefined
  /** undefined: on its way; null: neither a Safe nor an account that delegates */
  setUp: SafeSetUp | null | undefined
}

export const computeTwapStep = (facts: Facts): TwapStep => {
  const { draft, wallet, network, abilities, setUp, signed, holding, networkCost } = facts
  // an account that cannot create one is not asked for amounts
  if (wallet?.chainId === network.chainId) {
    if (abilities && setUp === null) return { do: 'explain', account: abilities.isContract ? 'contract' : 'key' }
  }
  const missing = findMissing(facts)
  if (missing) return { do: 'wait', why: missing }
  if (isWrapping(findTradeRoute(draft, network.wrappedNative)))
    return { do: 'wait', why: 'Wrapping needs no parts: use Swap' }
  if (!wallet) return { do: 'connect' }
  if (wallet.chainId !== network.chainId) return { do: 'switchChain' }
  if (!abilities || !setUp) return { do: 'wait', why: 'Reading your account …' }
  if (facts.isRequesting) return { do: 'wait', why: 'Fetching a live price …' }
  if (!signed) return { do: 'wait', why: 'No price available' }
  if (signed.buyAmount === 0n) return { do: 'wait', why: 'Amount too small at this price' }
  const minimum = computeMinimumPart(networkCost)
  if (signed.sellAmount < minimum) return { do: 'enlarge', minimum }
  if (!holding) return { do: 'wait', why: 'Reading your balances …' }
  const total = signed.sellAmount * BigInt(facts.parts)
  if (holding.balance < total) return { do: 'fund', available: holding.balance, needed: total }
  return { do: 'create', setUp, signed }
}
