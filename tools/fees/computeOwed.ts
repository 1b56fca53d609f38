import type { Address } from 'viem'
import type { RecordedFee } from '#schema/queries/settlements/fees.ts'

/** A transfer out of the settlement contract that paid fees, atoms. */
export type Payment = { to: Address; token: Address; amount: bigint }

/** What one recipient is owed in one token, atoms; `account` is null for the protocol. */
export type Owed = RecordedFee & { paid: bigint }

/**
 * Sets payments against recorded fees. A payment to a partner or a solver counts for it, any other one for the protocol, whose
 * address may change.
 */
export const computeOwed = (recorded: readonly RecordedFee[], payments: readonly Payment[]): Owed[] => {
  const owed = new Map(recorded.map((fee) => [toKey(fee.account, fee.token), { ...fee, paid: 0n }]))
  for (const { to, token, amount } of payments) {
    const known = owed.get(toKey(to, token)) ?? owed.get(toKey(null, token))
    const entry = known ?? { party: 'protocol' as const, account: null, token, amount: 0n, paid: 0n }
    entry.paid += amount
    owed.set(toKey(entry.account, token), entry)
  }
  return [...owed.values()]
}

const toKey = (account: Address | null, token: Address): string => `${account} ${token}`

/** Balance of a token against what is owed in it; `difference` is balance less owed. */
export type TokenBalance = { token: Address; owed: bigint; balance: bigint; difference: bigint; why: string }

/** @param balances of the settlement contract by token, atoms */
export const compareBalances = (owed: readonly Owed[], balances: ReadonlyMap<Address, bigint>): TokenBalance[] =>
  [...balances].map(([token, balance]) => {
    const sum = owed
      .filter((entry) => entry.token === token)
      .reduce((total, { amount, paid }) => total + amount - paid, 0n)
    return { token, owed: sum, balance, difference: balance - sum, why: explain(balance - sum) }
  })

const explain = (difference: bigint): string => {
  if (difference === 0n) return 'equal'
  if (difference > 0n) return 'more: slippage and rounding that settlements left, or transfers from outside'
  return 'less: solvers sold these fees in their settlements, paid pools with them, or did not leave them (docs/solvers.md, Fees)'
}

/**
 * Transfers that pay partners and the protocol as far as the balances reach. Partners come first, all of a token or none: a
 * balance that does not cover them needs a decision. Solvers are not paid: their fees stay where they are.
 * @param treasury address of the protocol
 * @returns the transfers, and the tokens whose partners cannot be paid
 */
export const computePayouts = (
  owed: readonly Owed[],
  balances: ReadonlyMap<Address, bigint>,
  treasury: Address,
): { payouts: Payment[]; uncovered: Address[] } => {
  const payouts: Payment[] = []
  const uncovered: Address[] = []
  for (const [token, balance] of balances) {
    const open = owed
      .filter((entry) => entry.token === token)
      .map(({ amount, paid, ...entry }) => ({ ...entry, amount: amount > paid ? amount - paid : 0n }))
    const partners = open.flatMap(({ party, account, amount }) =>
      party === 'partner' && account && amount > 0n ? [{ to: account, token, amount }] : [],
    )
    const toPartners = partners.reduce((sum, { amount }) => sum + amount, 0n)
    if (toPartners > balance) {
      uncovered.push(token)
      continue
    }
    const due = open.find(({ party }) => party === 'protocol')?.amount ?? 0n
    const swept = due < balance - toPartners ? due : balance - toPartners
    payouts.push(...partners, ...(swept > 0n ? [{ to: treasury, token, amount: swept }] : []))
  }
  return { payouts, uncovered }
}
