import type { components } from '../api/openapi.d.ts'

/** Balance of a token, atoms. */
export type Holding = {
  balance: bigint
  /** allowance of the vault relayer */
  allowance: bigint
}

/** Balances by token address; tokens without a response are missing. */
export type Balances = ReadonlyMap<string, Holding>

export type InitialBalances = { balances: components['schemas']['TokenBalance'][] }

export type BalanceUpdate =
  | { type: 'balance_change'; tokenAddress: string; newBalance: string }
  | { type: 'allowance_change'; tokenAddress: string; newAllowance: string }

export const toBalances = ({ balances }: InitialBalances): Balances =>
  new Map(
    balances
      .filter(({ error }) => error === undefined)
      .map(({ token, balance, allowance }) => [
        token.address.toLowerCase(),
        { balance: BigInt(balance), allowance: BigInt(allowance) },
      ]),
  )

export const applyUpdate = (balances: Balances, update: BalanceUpdate): Balances => {
  const token = update.tokenAddress.toLowerCase()
  const before = balances.get(token) ?? { balance: 0n, allowance: 0n }
  const change =
    update.type === 'balance_change'
      ? { balance: BigInt(update.newBalance) }
      : { allowance: BigInt(update.newAllowance) }
  return new Map(balances).set(token, { ...before, ...change })
}
