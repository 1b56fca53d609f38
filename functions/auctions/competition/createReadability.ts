import type { Hex } from 'viem'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { DriverRefusal } from '#schema/queries/events/driverRefusals.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { describeFailure, isRefusal, SolverError } from '#shared/solvers/requestSolver.ts'
import { probeHead } from '../solvers/solveBodies.ts'

/** Probes of one driver in one auction; a single order among 5,000 takes at most 27. */
const maxProbes = 32
/** Share of the time for solutions after which no probe starts. */
const probeShare = 0.4
/** Time after which a refused order is sent again: the driver may have been updated. */
const refusedMs = 3_600_000
/** Time without probes after a driver refused an auction without orders. */
const brokenMs = 60_000
/** A driver that ignores the deadline of a probe reads it, but each one costs its time limit. */
const maxSilentProbes = 3
/** Refused orders remembered per driver, the oldest forgotten first. */
const maxRefused = 10_000

type Memory = {
  /** orders of the newest body that the driver read */
  proven: ReadonlySet<Hex>
  /** orders that it refused alone */
  refused: Map<Hex, { reason: string; until: number }>
  /** orders left out until a probe decides */
  undecided: ReadonlySet<Hex>
  /** forms of refused orders, see `toForm`: further orders of such a form are probed before they are sent */
  refusedForms: Set<string>
  /** no probes before, Unix milliseconds */
  brokenUntil: number
}

/** Requests of one driver in one auction. */
export type DriverCall<Response> = {
  solver: string
  auctionId: number
  /** orders that the driver may see */
  orders: readonly ListedOrder[]
  /** Unix milliseconds */
  until: number
  /** sends the auction with these orders */
  send: (uids: ReadonlySet<Hex>) => Promise<Response>
  /**
   * sends an auction with these orders whose deadline has passed, so that nothing is solved
   * @throws SolverError
   */
  probe: (orders: readonly ListedOrder[]) => Promise<unknown>
}

/**
 * Which orders each driver can read. One order in a form that a driver cannot parse makes it refuse whole auctions.
 *
 * After a refusal the orders that the driver has not read before are bisected with probes; where the driver names the
 * column of the fault, that order is probed first. The auction is sent again in its own time without the orders that
 * are not proven readable. An order that is refused alone is left out for an hour, and named in its log. Probes are
 * bounded: what they do not reach is undecided, and probed before the next auction. So are orders of a form that was
 * refused.
 *
 * The memory belongs to one driver: no driver decides about another. Losing it costs requests only.
 */
export const createReadability = ({ now, log, background, record }: Deps): Readability => {
  const memories = new Map<string, Memory>()
  const findForm = createFormFinder()

  const find = (solver: string): Memory => {
    const known = memories.get(solver)
    if (known) return known
    const memory = {
      ...{ proven: new Set<Hex>(), refused: new Map(), undecided: new Set<Hex>() },
      ...{ refusedForms: new Set<string>(), brokenUntil: 0 },
    }
    memories.set(solver, memory)
    return memory
  }

  /** Remembers the orders that were refused alone and names them to their owners. */
  const refuse = (call: DriverCall<unknown>, memory: Memory, refused: readonly [ListedOrder, SolverError][]): void => {
    const refusals = refused.map(([order, error]): DriverRefusal => {
      const reason = describeFailure(error)
      const cause = `${error.kind}: ${error.message}`
      memory.refused.set(order.uid, { reason, until: now() + refusedMs })
      memory.refusedForms.add(findForm(order))
      log({ message: 'order refused', auction: call.auctionId, solver: call.solver, order: order.uid, cause })
      return { uid: order.uid, solver: call.solver, reason }
    })
    for (const uid of memory.refused.keys()) if (memory.refused.size > maxRefused) memory.refused.delete(uid)
    if (memory.refusedForms.size > maxRefused) memory.refusedForms.clear()
    if (refusals.length === 0) return
    background(
      record(call.auctionId, refusals).catch((error: unknown) =>
        log({ message: 'refusals not recorded', auction: call.auctionId, cause: describeError(error) }),
      ),
    )
  }

  /** Decides about orders within the bounds. @returns the readable ones */
  const decide = async (
    call: DriverCall<unknown>,
    memory: Memory,
    orders: readonly ListedOrder[],
    startedAt: number,
  ): Promise<ListedOrder[]> => {
    const lastStart = startedAt + (call.until - startedAt) * probeShare
    const found = await bisect(call.probe, orders, (probes) => probes < maxProbes && now() < lastStart)
    if (found.isBroken) {
      memory.brokenUntil = now() + brokenMs
      log({ message: 'driver refuses any auction', auction: call.auctionId, solver: call.solver })
      return []
    }
    refuse(call, memory, found.refused)
    memory.undecided = new Set(found.undecided.map(({ uid }) => uid))
    return found.readable
  }

  return {
    request: async (call) => {
      const startedAt = now()
      const memory = find(call.solver)
      for (const [uid, { until }] of memory.refused) if (until <= startedAt) memory.refused.delete(uid)
      const asked = call.orders.filter(({ uid }) => !memory.refused.has(uid))
      const isSuspect = (order: ListedOrder) =>
        memory.undecided.has(order.uid) ||
        (memory.refusedForms.size > 0 && !memory.proven.has(order.uid) && memory.refusedForms.has(findForm(order)))
      const { suspects = [], others = [] } = Object.groupBy(asked, (order) =>
        isSuspect(order) ? 'suspects' : 'others',
      )
      const canProbe = () => memory.brokenUntil <= startedAt
      const cleared = canProbe() && suspects.length > 0 ? await decide(call, memory, suspects, startedAt) : []
      const sent = toUids([...others, ...cleared])
      if (sent.size === 0) return undefined
      try {
        const response = await call.send(sent)
        memory.proven = sent
        return response
      } catch (error) {
        if (!(error instanceof SolverError) || !isRefusal(error) || !canProbe()) throw error
        const known = others.filter(({ uid }) => memory.proven.has(uid))
        const unknown = others.filter(({ uid }) => !memory.proven.has(uid))
        // nothing new: what it read before is proven no longer
        const [proven, doubted] = unknown.length > 0 ? [known, unknown] : [[], known]
        const readable = await decide(call, memory, doubted, startedAt)
        const again = toUids([...proven, ...cleared, ...readable])
        if (!canProbe() || again.size === 0) throw error
        memory.proven = new Set()
        const response = await call.send(again)
        memory.proven = again
        return response
      }
    },
  }
}

type Deps = {
  /** Unix milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
  /** extends the life of background work; the work must not reject */
  background: (work: Promise<unknown>) => void
  /** writes refusals to the logs of their orders */
  record: (auctionId: number, refusals: readonly DriverRefusal[]) => Promise<unknown>
}

export type Readability = {
  /**
   * Sends an auction with the orders that the driver can read, at most twice.
   * @returns undefined when it can read none
   * @throws SolverError when the driver fails, or refuses for another reason than an order
   */
  request: <Response>(call: DriverCall<Response>) => Promise<Response | undefined>
}

type Bisection = {
  readable: ListedOrder[]
  refused: [ListedOrder, SolverError][]
  undecided: ListedOrder[]
  /** the driver refuses an auction without orders, too: no order is the reason */
  isBroken: boolean
}

/** @param mayProbe by the number of probes so far */
const bisect = async (
  probe: DriverCall<unknown>['probe'],
  orders: readonly ListedOrder[],
  mayProbe: (probes: number) => boolean,
): Promise<Bisection> => {
  const found: Bisection = { readable: [], refused: [], undecided: [], isBroken: false }
  const groups: (readonly ListedOrder[])[] = [orders]
  let [probes, silent, isChecked] = [0, 0, false]
  const request = async (group: readonly ListedOrder[]): Promise<SolverError | undefined> => {
    probes += 1
    try {
      await probe(group)
    } catch (error) {
      if (!(error instanceof SolverError)) throw error
      if (isRefusal(error)) return error
      if (error.kind === 'Timeout') silent += 1
      // anything else is about solving, not reading
      if (error.kind === 'Unreachable') throw error
    }
    return undefined
  }
  while (mayProbe(probes) && silent < maxSilentProbes) {
    const group = groups.pop()
    if (!group) break
    const refusal = await request(group)
    const [first] = group
    if (refusal && !isChecked) {
      isChecked = true
      if (await request([])) return { ...found, isBroken: true }
    }
    if (!refusal) found.readable.push(...group)
    else if (group.length === 1 && first) found.refused.push([first, refusal])
    else groups.push(...split(group, refusal))
  }
  return { ...found, undecided: groups.flat() }
}

/** The part to probe first comes last: the order that the refusal points to, or one half. */
const split = (group: readonly ListedOrder[], { message }: SolverError): ListedOrder[][] => {
  const named = findNamed(group, message)
  if (named) return [group.filter((order) => order !== named), [named]]
  const middle = Math.ceil(group.length / 2)
  return [group.slice(middle), group.slice(0, middle)]
}

/** A driver's parser names the byte of a fault as `line 1 column 1234`, or its path as `orders[3].…`. */
const findNamed = (group: readonly ListedOrder[], message: string): ListedOrder | undefined => {
  const [, place] = message.match(/\borders(?:\[|\.)(\d+)/) ?? []
  if (place !== undefined) return group[Number(place)]
  const [, column] = message.match(/\bline 1 column (\d+)/) ?? []
  if (column === undefined) return undefined
  let end = probeHead.length
  return group.find(({ body }) => {
    end += body.length + 1
    return end >= Number(column)
  })
}

const toUids = (orders: readonly ListedOrder[]): ReadonlySet<Hex> => new Set(orders.map(({ uid }) => uid))

/** Distinct forms that are shared. */
const maxForms = 1_000

/**
 * Computes the form of each order once, while the book keeps it: a driver that fails in every auction proves none readable, and
 * parsing 5,000 orders again would take a tenth of a second per driver and auction.
 */
const createFormFinder = (): ((order: ListedOrder) => string) => {
  const forms = new WeakMap<ListedOrder, string>()
  /** one text of each form: most orders have the same few */
  const shared = new Map<string, string>()
  return (order) => {
    const known = forms.get(order)
    if (known !== undefined) return known
    const text = toForm(order)
    if (shared.size >= maxForms) shared.clear()
    const form = shared.get(text) ?? text
    shared.set(text, form)
    forms.set(order, form)
    return form
  }
}

/** Names and types of all fields of an order, without values: orders of one form are mostly read or refused alike. */
const toForm = ({ body }: ListedOrder): string => JSON.stringify(toShape(JSON.parse(body)))

const toShape = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(toShape(item))))].sort()
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.entries(value).map(([name, field]) => [name, toShape(field)])
}
