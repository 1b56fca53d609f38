import type { Hex } from 'viem'
import type { Auction } from '../auction.ts'

/** Orders that a driver was sent, JSON text by UID, with the id of their auction. */
export type SolveBase = { id: number; orders: ReadonlyMap<Hex, string> }

/** The auction that each driver that takes deltas responded to last, by the solver's name. */
export type SolveBases = Map<string, SolveBase>

/** The body of POST `solve` for one solver, in two forms. */
export type SolveBodies = {
  /** the orders that the solver has afterwards */
  held: SolveBase
  /** all orders */
  writeFull: () => string
  /** the orders that `base` lacks or has otherwise, and the UIDs of those that left */
  writeDelta: (base: SolveBase) => string
}

type Facts = {
  /** Unix milliseconds */
  deadline: number
  jitOrderOwners: ReadonlySet<string>
}

/**
 * Serialises the body of POST `solve`. The orders are JSON text already, and solvers that receive all of them share one
 * text, or one delta.
 * @returns finds the bodies of a solver by the orders that it may see; undefined without any
 */
export const createSolveBodies = (
  { deadline, jitOrderOwners }: Facts,
  { id, body }: Pick<Auction, 'id' | 'body'>,
): ((maySee: (uid: Hex) => boolean) => SolveBodies | undefined) => {
  const frame = JSON.stringify({
    id: id.toString(),
    tokens: Object.entries(body.prices).map(([address, price]) => ({ address, price, trusted: false })),
    deadline: new Date(deadline).toISOString(),
    surplusCapturingJitOrderOwners: [...jitOrderOwners],
  })
  const build = (orders: typeof body.orders): SolveBodies =>
    toBodies(frame, { id, orders: new Map(orders.map((order) => [order.uid, order.body])) })
  let all: SolveBodies | undefined
  return (maySee) => {
    const visible = body.orders.filter(({ uid }) => maySee(uid))
    if (visible.length === 0) return undefined
    if (visible.length < body.orders.length) return build(visible)
    all ??= build(body.orders)
    return all
  }
}

const toBodies = (frame: string, held: SolveBase): SolveBodies => {
  const { orders } = held
  const write = (bodies: readonly string[], base = ''): string =>
    `${frame.slice(0, -1)},${base}"orders":[${bodies.join()}]}`
  let full: string | undefined
  const deltas = new Map<SolveBase, string>()
  return {
    held,
    writeFull: () => {
      full ??= write([...orders.values()])
      return full
    },
    writeDelta: (base) => {
      const known = deltas.get(base)
      if (known) return known
      const removed = [...base.orders.keys()].filter((uid) => !orders.has(uid))
      const changed = [...orders].flatMap(([uid, order]) => (base.orders.get(uid) === order ? [] : [order]))
      const delta = write(changed, `"base":"${base.id}","removed":${JSON.stringify(removed)},`)
      deltas.set(base, delta)
      return delta
    },
  }
}
