import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import { isReadRefusal, SolverError } from '#shared/solvers/requestSolver.ts'
import { probeHead } from '../solvers/solveBodies.ts'

/** A driver that ignores the deadline of a probe reads it, but each one costs its time limit. */
const maxSilentProbes = 3

/** Sends probes of one auction to one driver, within bounds. */
export type Prober = {
  mayProbe: () => boolean
  /** @returns the error of a driver that refuses to read these orders */
  findRefusal: (orders: readonly ListedOrder[]) => Promise<SolverError | undefined>
}

/**
 * @param probe throws SolverError
 * @param canStart by the number of probes so far
 */
export const createProber = (
  probe: (orders: readonly ListedOrder[]) => Promise<unknown>,
  canStart: (probes: number) => boolean,
): Prober => {
  let [probes, silent] = [0, 0]
  return {
    mayProbe: () => silent < maxSilentProbes && canStart(probes),
    findRefusal: async (orders) => {
      probes += 1
      try {
        await probe(orders)
      } catch (error) {
        if (!(error instanceof SolverError)) throw error
        if (isReadRefusal(error)) return error
        if (error.kind === 'Timeout') silent += 1
        // anything else is about solving, not reading
        if (error.kind === 'Unreachable') throw error
      }
      return undefined
    },
  }
}

/** Orders by what a driver reads. */
export type Bisection = {
  /** read in one body */
  together: ListedOrder[]
  /** refused alone */
  refused: [ListedOrder, SolverError][]
  /** refused beside those of `together`, and maybe alone, see `checkAlone` */
  apart: [ListedOrder, SolverError][]
  undecided: ListedOrder[]
  /** the driver refuses an auction without orders, too: no order is the reason */
  isBroken: boolean
}

/**
 * Extends a body that the driver read by as many orders as it reads beside it. Each probe contains all orders accepted
 * so far, because orders that are readable apart may be refused together.
 * @param base orders that it read in one body
 * @param groups further orders, first come first served
 * @param maxApart ends after so many orders that are refused beside others; the rest is undecided
 */
export const bisectOrders = async (
  { mayProbe, findRefusal }: Prober,
  base: readonly ListedOrder[],
  groups: readonly (readonly ListedOrder[])[],
  maxApart = Number.POSITIVE_INFINITY,
): Promise<Bisection> => {
  const found: Bisection = { together: [...base], refused: [], apart: [], undecided: [], isBroken: false }
  /** @param known the refusal of `orders` beside `together`. @returns whether all were accepted */
  const visit = async (orders: readonly ListedOrder[], known?: SolverError): Promise<boolean> => {
    const [first] = orders
    if (!first) return true
    if (!mayProbe() || found.apart.length >= maxApart) {
      found.undecided.push(...orders)
      return false
    }
    const refusal = known ?? (await findRefusal([...found.together, ...orders]))
    if (!refusal) {
      found.together.push(...orders)
      return true
    }
    if (orders.length === 1) {
      const isAlone = found.together.length === 0
      ;(isAlone ? found.refused : found.apart).push([first, refusal])
      return false
    }
    const [part, rest] = split(found.together, orders, refusal)
    const isWhole = await visit(part)
    // beside all of the first part, the rest is the body that was refused
    await visit(rest, isWhole ? refusal : undefined)
    return false
  }

  const all = groups.flat()
  if (all.length === 0) return found
  const refusal = await findRefusal([...base, ...all])
  if (!refusal) return { ...found, together: [...base, ...all] }
  const isDoubted = (await findRefusal(base)) !== undefined
  if (isDoubted) {
    if (base.length === 0 || (await findRefusal([]))) return { ...found, isBroken: true }
    found.together = []
  }
  const visited = isDoubted ? [base, ...groups] : groups
  for (const group of visited) await visit(group, visited.length === 1 ? refusal : undefined)
  return found
}

/** Moves orders that are refused alone from `apart` to `refused`. @returns those that the probes did not reach */
export const checkAlone = async (
  { mayProbe, findRefusal }: Prober,
  found: Bisection,
  isRead: (order: ListedOrder) => boolean,
): Promise<ListedOrder[]> => {
  const unchecked: ListedOrder[] = []
  for (const entry of [...found.apart]) {
    const [order] = entry
    if (isRead(order)) continue
    const refusal = mayProbe() ? await findRefusal([order]) : entry[1]
    if (!refusal) continue
    found.apart.splice(found.apart.indexOf(entry), 1)
    if (refusal === entry[1]) unchecked.push(order)
    else found.refused.push([order, refusal])
  }
  return unchecked
}

/**
 * An order beside which the driver refuses another one, by a search over the prefixes of the body.
 * @returns undefined when the probes end before
 */
export const findRival = async (
  { mayProbe, findRefusal }: Prober,
  together: readonly ListedOrder[],
  order: ListedOrder,
): Promise<ListedOrder | undefined> => {
  let [read, refused] = [0, together.length]
  // mostly one of the last, because the caller puts what was in doubt there
  for (let step = 1; step < refused && read === 0; step *= 2) {
    if (!mayProbe()) return undefined
    const end = together.length - step
    if (await findRefusal([...together.slice(0, end), order])) refused = end
    else read = end
  }
  while (refused - read > 1) {
    if (!mayProbe()) return undefined
    const middle = Math.floor((read + refused) / 2)
    if (await findRefusal([...together.slice(0, middle), order])) refused = middle
    else read = middle
  }
  return together[refused - 1]
}

/** The order that the refusal points to and the others, or two halves. */
const split = (
  together: readonly ListedOrder[],
  orders: readonly ListedOrder[],
  { message }: SolverError,
): [readonly ListedOrder[], readonly ListedOrder[]] => {
  const named = findNamed([...together, ...orders], message)
  // a wrong name costs probes only
  if (named && orders.includes(named)) return [[named], orders.filter((order) => order !== named)]
  const middle = Math.ceil(orders.length / 2)
  return [orders.slice(0, middle), orders.slice(middle)]
}

/** A driver's parser names the byte of a fault as `line 1 column 1234`, or its path as `orders[3].…`. */
const findNamed = (probed: readonly ListedOrder[], message: string): ListedOrder | undefined => {
  const [, place] = message.match(/\borders(?:\[|\.)(\d+)/) ?? []
  if (place !== undefined) return probed[Number(place)]
  const [, column] = message.match(/\bline 1 column (\d+)/) ?? []
  if (column === undefined) return undefined
  let end = probeHead.length
  return probed.find(({ body }) => {
    end += body.length + 1
    return end >= Number(column)
  })
}
