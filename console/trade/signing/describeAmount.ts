import { formatAmount } from '../../ui/formatAmount.ts'
import { shorten } from '../../ui/shorten.ts'
import type { TradableToken } from '../draft/tradableToken.ts'

/** Digits that separate amounts differing by a hundred-millionth. */
const digits = 8

/** `1.5 WETH`; amounts of unknown tokens are in atoms. */
export const describeAmount = (token: TradableToken | undefined, atoms: bigint, shown = digits): string =>
  token ? `${formatAmount(atoms, token.decimals, shown)} ${token.symbol ?? shorten(token.address)}` : `${atoms} atoms`
