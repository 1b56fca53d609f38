import type { Hex } from 'viem'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { Auction } from '../auction.ts'

/** Orders that a driver was sent, JSON text by UID, with the id of their auction. */
export type SolveBase = { id: number; orders: ReadonlyMap<Hex, string> }

/** The auction that each driver that takes deltas responded to last, by the solver's name. */
export type SolveBases = Map<string, SolveBase>

/** A body of POST `solve`. */
export type SolveBody = {
  json: string
  /**
   * Value of the header `X-Auction-Id`, a decimal number. A public driver parses one body for each value and shares it
   * between its solvers, so distinct bodies have distinct values.
   */
  bodyId: string
}

/** The body of POST `solve` for one solver, in two forms. */
export type SolveBodies = {
  /** the orders that the solver has afterwards */
  held: SolveBase
  /** all orders */
  writeFull: () => SolveBody
  /** the orders that `base` lacks or has otherwise, and the UIDs of those that left */
  writeDelta: (base: SolveBase) => SolveBody
}

/** Above the ids of auctions, and far below 2⁶³ / 2²⁰, the bodies of an auction. */
const bodyIdStep = 1_000_000_000_000n

/** The orders of a probe come first, so that a column in a driver's error names one of them. */
export const probeHead = '{"orders":['

/**
 * Serialises the bodies of POST `solve` of one auction. The orders are JSON text already, and solvers with the same
 * orders and deadline share one text, or one delta.
 */
export const createSolveBodies = (
  jitOrderOwners: ReadonlySet<string>,
  { id, body }: Pick<Auction, 'id' | 'body'>,
): SolveWriter => {
  const auctionId = id.toString()
  const rest = JSON.stringify({
    tokens: Object.entries(body.prices).map(([address, price]) => ({ address, price, trusted: false })),
    surplusCapturingJitOrderOwners: [...jitOrderOwners],
  }).slice(1)
  const frame = (deadline: number): string =>
    `"id":"${auctionId}","deadline":"${new Date(deadline).toISOString()}",${rest}`
  let bodies = 0n
  const toBody = (json: string): SolveBody => ({ json, bodyId: String(BigInt(id) + bodyIdStep * bodies++) })

  const build = (orders: readonly ListedOrder[], deadline: number): SolveBodies => {
    const held = { id, orders: new Map(orders.map((order) => [order.uid, order.body])) }
    let full: SolveBody | undefined
    const deltas = new Map<SolveBase, SolveBody>()
    const writeDelta = (base: SolveBase): SolveBody => {
      const removed = [...base.orders.keys()].filter((uid) => !held.orders.has(uid))
      const updated = orders.flatMap((order) => (base.orders.get(order.uid) === order.body ? [] : [order.body]))
      const changes = `"base":"${base.id}","updatedOrders":[${updated.join()}],"removedOrders":${JSON.stringify(removed)}`
      return toBody(`{"kind":"delta",${changes},${frame(deadline)}`)
    }
    return {
      held,
      writeFull: () => {
        full ??= toBody(`{"kind":"full","orders":[${orders.map((order) => order.body).join()}],${frame(deadline)}`)
        return full
      },
      writeDelta: (base) => {
        const delta = deltas.get(base) ?? writeDelta(base)
        deltas.set(base, delta)
        return delta
      },
    }
  }
  const shared = new Map<number, SolveBodies>()
  return {
    find: (maySee, deadline) => {
      const visible = body.orders.filter(({ uid }) => maySee(uid))
      if (visible.length === 0) return undefined
      if (visible.length < body.orders.length) return build(visible, deadline)
      const all = shared.get(deadline) ?? build(visible, deadline)
      shared.set(deadline, all)
      return all
    },
    writeProbe: (orders, now) =>
      toBody(`${probeHead}${orders.map((order) => order.body).join()}],"kind":"full",${frame(now)}`),
  }
}

export type SolveWriter = {
  /**
   * The bodies for a solver that may see some of the orders; undefined without any.
   * @param deadline of its solutions, Unix milliseconds
   */
  find: (maySee: (uid: Hex) => boolean, deadline: number) => SolveBodies | undefined
  /** A body with these orders and a deadline that has passed. @param now Unix milliseconds */
  writeProbe: (orders: readonly ListedOrder[], now: number) => SolveBody
}
