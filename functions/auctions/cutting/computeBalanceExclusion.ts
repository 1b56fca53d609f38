import type { Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { Network } from '#shared/networks.ts'
import { isExempt } from '#shared/orders/verdict/computeFunding.ts'
import type { HeldFunds } from '../funds/balanceCache.ts'
import type { HookFunds } from '../funds/simulateHookFunds.ts'
import { toHoldingKey } from '../funds/toHoldingKey.ts'
import { type Exclusion, exclude } from './exclude.ts'

type Contracts = Pick<Network, 'settlementContract' | 'vaultRelayer'>

/** Whether the order enters auctions despite missing funds. */
export const isBalanceExempt = (candidate: Candidate, contracts: Contracts): boolean =>
  isExempt({ order: candidate.order, contracts }) || Boolean(candidate.funding?.wrappers.length)

const nothing: HookFunds = { balance: 0n, allowance: 0n }

/**
 * Excludes orders without sufficient funds: all of a fill-or-kill order with its fee, or for a partially fillable one a
 * part of at least one atom on both sides. Precedence of reasons: a reverting hook, then balance, then allowance.
 * @param funds sell token atoms, by `toHoldingKey`; a token that states none has 0
 * @param fundsAfterHooks the same for orders that call something before they are traded, by UID
 */
export const computeBalanceExclusion = (
  candidate: Candidate,
  contracts: Contracts,
  funds: ReadonlyMap<string, HeldFunds>,
  fundsAfterHooks: ReadonlyMap<Hex, HookFunds> = new Map(),
): Exclusion | undefined => {
  const { uid, owner, sellToken: token } = candidate.order
  const known: HookFunds = fundsAfterHooks.get(uid) ?? funds.get(toHoldingKey({ owner, token })) ?? nothing
  const { reverting, ...amounts } = known
  const chain = { funds: amounts, revertingHook: reverting }
  return exclude(candidate, { contracts, chain }, 'hooks', 'balance', 'allowance', 'dust')
}
