import type { Order } from './order.ts'
import type { SigningScheme } from './signingScheme.ts'

const kindFlags = { sell: 0n, buy: 1n } as const
const sellTokenBalanceFlags = { erc20: 0n, external: 2n << 2n, internal: 3n << 2n } as const
const buyTokenBalanceFlags = { erc20: 0n, internal: 1n << 4n } as const
const signingSchemeFlags = { eip712: 0n, ethsign: 1n << 5n, eip1271: 2n << 5n, presign: 3n << 5n } as const

/**
 * `flags` of a trade in the settlement contract's `settle` (`GPv2Trade.extractFlags`):
 *
 * | Bits | Meaning |
 * |---|---|
 * | 0 | kind: 0 sell, 1 buy |
 * | 1 | partially fillable |
 * | 2–3 | sell token balance: 0 erc20, 2 external, 3 internal |
 * | 4 | buy token balance: 0 erc20, 1 internal |
 * | 5–6 | signing scheme: 0 eip712, 1 ethsign, 2 eip1271, 3 presign |
 */
export const encodeTradeFlags = (
  order: Pick<Order, 'kind' | 'partiallyFillable' | 'sellTokenBalance' | 'buyTokenBalance'>,
  scheme: SigningScheme,
): bigint =>
  kindFlags[order.kind] |
  (order.partiallyFillable ? 2n : 0n) |
  sellTokenBalanceFlags[order.sellTokenBalance] |
  buyTokenBalanceFlags[order.buyTokenBalance] |
  signingSchemeFlags[scheme]
