import type { Balances, Holding } from '../actions/balances.ts'
import type { Token } from '../tokens/token.ts'
import type { UsdPrices } from '../tokens/useUsdPrices.ts'

/** A token that an account has, or that the vault relayer may take from it. */
export type Position = Holding & {
  token: Token
  /** US dollars; undefined without a price or decimals */
  value: number | undefined
}

/** Positions by value, those of unknown value last; otherwise in list order. */
export const listPositions = (
  tokens: readonly Token[],
  balances: Balances,
  prices: UsdPrices | undefined,
): Position[] =>
  tokens
    .flatMap((token): Position[] => {
      const holding = balances.get(token.address)
      if (!holding || (holding.balance === 0n && holding.allowance === 0n)) return []
      return [{ token, ...holding, value: computeValue(holding.balance, token, prices?.get(token.address)) }]
    })
    .toSorted((one, other) => (other.value ?? -1) - (one.value ?? -1))

const computeValue = (balance: bigint, { decimals }: Token, price: number | undefined): number | undefined =>
  decimals === undefined || price === undefined ? undefined : (Number(balance) / 10 ** decimals) * price

/** An allowance beyond any balance counts as unlimited: tokens cap or lower the greatest one in ways of their own. */
export const isUnlimited = (allowance: bigint): boolean => allowance >= 2n ** 95n
