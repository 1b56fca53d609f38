import type { Address } from 'viem'
import type { LedgerChange } from './createLedger.ts'

/** The data of a `balance_update`: amounts in atoms, the time in Unix milliseconds. */
export const toBalanceUpdate = ({ chainId, address }: { chainId: number; address: Address }, change: LedgerChange) => {
  const { amount, timestamp, tokenAddress, before, after } = change
  const facts = { chainId, timestamp, userAddress: address, tokenAddress }
  return amount === 'balance'
    ? { type: 'balance_change', ...facts, oldBalance: before.toString(), newBalance: after.toString() }
    : { type: 'allowance_change', ...facts, oldAllowance: before.toString(), newAllowance: after.toString() }
}
