import { type Address, formatUnits } from 'viem'
import { toHumanAmount } from '../amounts/toHumanAmount.ts'
import type { TokenFacts } from '../tokens/findTokenFacts.ts'
import { toSafeSymbol } from '../tokens/toSafeSymbol.ts'
import type { TokenAmount } from './metadataShapes.ts'

/**
 * An amount of a token with the known metadata of the token.
 * @param amount atoms, not negative
 */
export const toTokenAmount = (token: Address, facts: TokenFacts | undefined, amount: bigint): TokenAmount => ({
  token,
  symbol: toSafeSymbol(facts?.symbol) ?? null,
  decimals: facts?.decimals ?? null,
  amount: amount.toString(),
  formatted: facts ? formatUnits(amount, facts.decimals) : null,
})

/** The amount for people, rounded down: `4,512.30 USDC`, `1,500 atoms of 0x1234…abcd`. */
export const toAmountText = ({ token, symbol, decimals, amount }: TokenAmount): string => {
  const name = symbol ?? `${token.slice(0, 6)}…${token.slice(-4)}`
  if (decimals === null) return `${toHumanAmount(BigInt(amount), 0)} atoms of ${name}`
  return `${toHumanAmount(BigInt(amount), decimals)} ${name}`
}

/** The amount without rounding. */
export const toExactText = (amount: TokenAmount): string =>
  amount.formatted === null ? toAmountText(amount) : `${amount.formatted} ${amount.symbol ?? amount.token}`
