import type { Order, Trade } from '../loading/loadOrder.ts'

type Fee = Trade['executedProtocolFees'][number]

/** Number of partner fees that the app data of an order names; malformed app data names none. */
export const countPartnerFees = ({ fullAppData }: Pick<Order, 'fullAppData'>): number => {
  try {
    const { partnerFee } = JSON.parse(fullAppData ?? '{}').metadata ?? {}
    return Array.isArray(partnerFee) ? partnerFee.length : partnerFee ? 1 : 0
  } catch {
    return 0
  }
}

/** Policies apply in order, protocol before partners: the last ones of a trade belong to the partners. */
export const isPartnerPolicy = (place: number, fees: readonly Fee[], partners: number): boolean =>
  place >= fees.length - partners

/** Fees that the partners of an order took from its trades, atoms of the token that the order gains. */
export const sumPartnerFees = (order: Order, trades: readonly Trade[]): bigint => {
  const partners = countPartnerFees(order)
  const gained = order.kind === 'sell' ? order.buyToken : order.sellToken
  return trades
    .flatMap(({ executedProtocolFees: fees }) => fees.filter((_, place) => isPartnerPolicy(place, fees, partners)))
    .reduce((sum, { token, amount }) => (token === gained ? sum + BigInt(amount) : sum), 0n)
}
