import type { Holding } from '../../actions/balances.ts'
import type { Abilities } from '../../wallet/readAbilities.ts'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { findTradeRoute, isWrapping } from '../draft/findTradeRoute.ts'

/** Next step of an order, or the cause that blocks it. */
export type NextStep =
  /** blocked for the reason `why` */
  | { do: 'wait'; why: string }
  | { do: 'connect' }
  | { do: 'switchChain' }
  /** the balance is below the order book's minimum, sell token atoms */
  | { do: 'fund'; available: bigint; needed: bigint }
  /** allowance that the vault relayer needs, sell token atoms */
  | { do: 'approve'; needed: bigint }
  | { do: 'sign' }
  /** two signatures: the approval of the vault relayer, sell token atoms, and the order with it */
  | { do: 'permit'; needed: bigint }
  /** the account signs by a transaction, which approves `approval` sell token atoms before; null: no approval */
  | {
      do: 'presign'
      approval: bigint | null
      /** wei to wrap before */
      wrap?: bigint
    }
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
  /** of the sell token; undefined: unknown */
  holding: Holding | undefined
  /** the balances are on their way; otherwise the order book decides about an unknown one */
  isReadingBalances: boolean
  /** vault relayer's allowance of the wrapped native token, wei; undefined: unknown */
  wrappedAllowance: bigint | undefined
  /** how the account signs; undefined: unknown */
  abilities: Abilities | undefined
  /** the sell token takes approvals by signature */
  hasPermit: boolean
}

const readingBalances: NextStep = { do: 'wait', why: 'Reading your balances …' }

export const computeNextStep = (facts: Facts): NextStep => {
  const missing = findMissing(facts)
  if (missing) return { do: 'wait', why: missing }
  const { draft, signed, isRequesting, wallet, network, holding, abilities } = facts
  if (!wallet) return { do: 'connect' }
  if (wallet.chainId !== network.chainId) return { do: 'switchChain' }
  const route = findTradeRoute(draft, network.wrappedNative)
  const isAwaited = holding === undefined && facts.isReadingBalances
  if (isWrapping(route)) {
    if (isAwaited) return readingBalances
    const { amount = 0n } = draft
    return holding && holding.balance < amount
      ? { do: 'fund', available: holding.balance, needed: amount }
      : { do: 'transact', route }
  }
  if (isRequesting) return { do: 'wait', why: 'Fetching a live price …' }
  if (!signed) return { do: 'wait', why: 'No price available' }
  if (isAwaited) return readingBalances
  const { sellAmount } = signed
  if (route === 'native') {
    if (holding && holding.balance < sellAmount) return { do: 'fund', available: holding.balance, needed: sellAmount }
    if (!abilities?.hasBatches) return { do: 'transact', route }
    const isApproved = facts.wrappedAllowance !== undefined && facts.wrappedAllowance >= sellAmount
    return { do: 'presign', approval: isApproved ? null : sellAmount, wrap: sellAmount }
  }
  if (!abilities) return { do: 'wait', why: 'Reading your account …' }
  if (!holding) return abilities.isContract ? { do: 'presign', approval: null } : { do: 'sign' }
  // minimum of the order book for partially fillable orders
  const least = draft.isPartiallyFillable ? 1n : sellAmount
  if (holding.balance < least) return { do: 'fund', available: holding.balance, needed: least }
  return findSigning(abilities, facts.hasPermit, holding.allowance < sellAmount ? sellAmount : null)
}

/** @param needed allowance that is missing, sell token atoms; null: none */
const findSigning = ({ isContract, hasBatches }: Abilities, hasPermit: boolean, needed: bigint | null): NextStep => {
  if (needed === null) return isContract ? { do: 'presign', approval: null } : { do: 'sign' }
  // a contract has no key for a permit
  if (hasPermit && !isContract) return { do: 'permit', needed }
  return hasBatches ? { do: 'presign', approval: needed } : { do: 'approve', needed }
}

/** The first value that an order lacks, as the label of a disabled button. */
export const findMissing = ({
  draft,
  isLoading,
  network,
}: Pick<Facts, 'draft' | 'isLoading' | 'network'>): string | undefined => {
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
