import type { Address } from 'viem'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { compareLimitPrices } from '../batches/compareLimitPrices.ts'
import { wrapToken } from '../batches/wrapToken.ts'

/** tokens of the longest ring */
const maxTokens = 4

/** orders per directed pair that are tried, those with the most generous limits */
const maxOrders = 2

/** orders that are appended to the beginning of a ring during the search; each takes some microseconds */
const maxSteps = 20_000

/** Each ring once, from its lowest token on, if the limits of its orders agree. */
export function* listRings(
  orders: readonly AuctionOrder[],
  wrappedNative: Address,
  toDirection: (order: AuctionOrder) => string,
): Generator<AuctionOrder[]> {
  const wrap = (token: Address) => wrapToken(token, wrappedNative)
  const generous = [...Map.groupBy(orders, toDirection).values()].flatMap((same) =>
    same.toSorted(compareLimitPrices).slice(0, maxOrders),
  )
  const selling = Map.groupBy(generous, ({ sellToken }) => wrap(sellToken))
  let steps = 0
  function* extend(ring: readonly AuctionOrder[], from: Address): Generator<AuctionOrder[]> {
    const last = ring.at(-1)
    for (const order of selling.get(last ? wrap(last.buyToken) : from) ?? []) {
      steps += 1
      if (steps > maxSteps) return
      const next = [...ring, order]
      const bought = wrap(order.buyToken)
      if (bought === from) {
        if (next.length > 2 && limitsAgree(next)) yield next
      } else if (
        bought > from &&
        next.length < maxTokens &&
        !next.some(({ sellToken }) => wrap(sellToken) === bought)
      ) {
        yield* extend(next, from)
      }
    }
  }
  for (const token of [...selling.keys()].sort()) yield* extend([], token)
}

/** Whether one atom sold around the ring buys back at least itself at the orders' limits, without fees. */
const limitsAgree = (ring: readonly AuctionOrder[]): boolean =>
  ring.reduce((product, { buyAmount }) => product * buyAmount, 1n) <=
  ring.reduce((product, { sellAmount }) => product * sellAmount, 1n)
