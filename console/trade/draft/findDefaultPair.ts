import type { components } from '../../api/openapi.d.ts'
import type { Token } from '../../tokens/token.ts'

/** The wrapped native token and a dollar token of the list, or else the first other token of it. */
export const findDefaultPair = (
  { wrappedNative }: Pick<components['schemas']['ServedNetwork'], 'wrappedNative'>,
  tokens: readonly Token[],
): { sell: string; buy: string } => {
  const others = tokens.filter(({ address }) => address !== wrappedNative)
  const buy = others.find(({ symbol }) => symbol === 'USDC') ?? others[0]
  return { sell: wrappedNative, buy: buy?.address ?? '' }
}
