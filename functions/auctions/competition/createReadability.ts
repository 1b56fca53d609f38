import type { Hex } from 'viem'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { DriverRefusal } from '#schema/queries/events/driverRefusals.ts'
import { forgetOldest } from '#shared/forgetOldest.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { describeFailure, isReadRefusal, SolverError } from '#shared/solvers/requestSolver.ts'
import { type Bisection, bisectOrders, checkAlone, createProber, findRival, type Prober } from './bisectOrders.ts'

/** Probes of one driver in one auction; a single order among 5,000 takes at most 30. */
const maxProbes = 64
/** Of these, for orders that were left out before. */
const maxRetryProbes = 28
/** Share of the time for solutions after which no probe starts. */
const probeShare = 0.4
/** Time after which a refused order is sent again: the driver may have been updated. */
const refusedMs = 3_600_000
/** Time without probes after a driver refused an auction without orders. */
const brokenMs = 60_000
/** Refused orders, pairs, forms and owners remembered per driver, the oldest forgotten first. */
const maxRefused = 10_000
/** Orders without a known rival that are tried again in one auction, and failures after which no further one is tried. */
const maxRetried = 2
/** Orders that yield their places to one that was left out, in one auction. */
const maxReplaced = 3

type Memory = {
  /** orders of the newest body that the driver read */
  proven: ReadonlySet<Hex>
  /** orders that it refused alone, with the end of that, Unix milliseconds */
  refused: Map<Hex, number>
  /** orders that it refused only beside others, without a known rival, in the sequence of further attempts */
  apart: Set<Hex>
  /** pairs of orders of which it refused one beside the other */
  rivals: Map<Hex, Set<Hex>>
  /** auction in which an order with rivals was sent or tried last */
  turns: Map<Hex, number>
  /** orders left out until a probe decides */
  undecided: ReadonlySet<Hex>
  /** forms of refused orders, see `findForm`: further orders of such a form are probed before they are sent */
  refusedForms: Set<string>
  /** owners of orders that it read, without those of which it refused one */
  readOwners: Set<string>
  /** orders whose owners were notified, with the end of that, Unix milliseconds */
  named: Map<Hex, number>
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
 * Which orders each driver can read. One order in a form that a driver cannot parse makes it refuse whole auctions, and
 * so may two orders that it reads apart.
 *
 * After a refusal, probes extend the body that the driver read last by the new orders that it reads beside it
 * (`bisectOrders`), and the auction is sent again in its own time. What it read before is never at stake. An order that
 * is refused alone is left out for an hour. Of two that are refused together, each is sent in turn: the one that was
 * left out goes first in the next auction. Both kinds are named in their logs. Probes are bounded: what they do not
 * reach is undecided, and probed before the next auction, first the orders of owners that the driver has read before
 * and of forms that it has not refused.
 *
 * The memory belongs to one driver: no driver decides about another. Losing it costs requests only.
 */
export const createReadability = ({ now, log, background, record }: Deps): Readability => {
  const memories = new Map<string, Memory>()

  const find = (solver: string): Memory => {
    const known = memories.get(solver)
    if (known) return known
    const memory: Memory = {
      ...{ proven: new Set(), refused: new Map(), apart: new Set(), rivals: new Map(), turns: new Map() },
      ...{ undecided: new Set(), refusedForms: new Set(), readOwners: new Set(), named: new Map(), brokenUntil: 0 },
    }
    memories.set(solver, memory)
    return memory
  }

  /** Names orders that were refused to their owners, each once per hour. */
  const name = (call: DriverCall<unknown>, { named }: Memory, refused: Bisection['refused'], company: string): void => {
    const fresh = refused.filter(([{ uid }]) => !named.has(uid))
    for (const [{ uid }] of fresh) named.set(uid, now() + refusedMs)
    forgetOldest(named, maxRefused)
    const refusals = fresh.map(([{ uid }, error]): DriverRefusal => {
      const cause = `${error.kind}: ${error.message}`
      log({ message: `order refused${company}`, auction: call.auctionId, solver: call.solver, order: uid, cause })
      return { uid, solver: call.solver, reason: `${describeFailure(error)}${company}` }
    })
    if (refusals.length === 0) return
    background(
      record(call.auctionId, refusals).catch((error: unknown) =>
        log({ message: 'refusals not recorded', auction: call.auctionId, cause: describeError(error) }),
      ),
    )
  }

  /** Remembers what probes found, once the driver has read the body that they led to. */
  const remember = (
    call: DriverCall<unknown>,
    memory: Memory,
    { refused, apart, unchecked, undecided }: Decision,
  ): void => {
    for (const [order] of refused) {
      memory.apart.delete(order.uid)
      memory.refused.set(order.uid, now() + refusedMs)
      memory.readOwners.delete(toOwner(order.uid))
    }
    for (const { uid } of [...apart.map(([order]) => order), ...unchecked]) {
      // again at the end of the queue
      memory.apart.delete(uid)
      if (memory.rivals.has(uid)) memory.turns.set(uid, call.auctionId)
      else memory.apart.add(uid)
    }
    forgetOldest(memory.apart, maxRefused)
    for (const [order] of [...refused, ...apart]) memory.refusedForms.add(findForm(order))
    for (const order of unchecked) memory.refusedForms.add(findForm(order))
    memory.undecided = toUids(undecided)
    forgetOldest(memory.refused, maxRefused)
    if (memory.refusedForms.size > maxRefused) memory.refusedForms.clear()
    name(call, memory, refused, '')
    name(call, memory, apart, ' beside other orders')
  }

  /** Decides within the bounds which new orders the driver reads beside `known`. */
  const decide = async (
    call: DriverCall<unknown>,
    memory: Memory,
    known: readonly ListedOrder[],
    fresh: readonly ListedOrder[],
    startedAt: number,
  ): Promise<Decision> => {
    const lastStart = startedAt + (call.until - startedAt) * probeShare
    let most = maxRetryProbes
    const prober = createProber(call.probe, (probes) => probes < most && now() < lastStart)
    const { base = [], doubted = [] } = Object.groupBy(known, ({ uid }) =>
      memory.rivals.has(uid) ? 'doubted' : 'base',
    )
    base.push(...doubted)
    const isRead = ({ uid }: ListedOrder) => memory.rivals.has(uid)
    const [retried, others] = splitRetried(memory, fresh)
    const first = await bisectOrders(prober, base, retried.length > 0 ? [retried] : [], maxRetried)
    const unchecked = await checkAlone(prober, first, isRead)
    const together = await findRivals(prober, memory, first, true)
    most = maxProbes
    const second = first.isBroken ? first : await bisectOrders(prober, together, toGroups(memory, others))
    if (second.isBroken) {
      memory.brokenUntil = now() + brokenMs
      log({ message: 'driver refuses any auction', auction: call.auctionId, solver: call.solver })
      return { ...second, unchecked }
    }
    unchecked.push(...(await checkAlone(prober, second, isRead)))
    await findRivals(prober, memory, second, false)
    const refused = [...first.refused, ...second.refused]
    // what was not tried again remains where it was
    return { ...second, refused, apart: [...first.apart, ...second.apart], unchecked }
  }

  /** Remembers a body that the driver read. */
  const learn = (call: DriverCall<unknown>, memory: Memory, sent: ReadonlySet<Hex>): void => {
    for (const uid of sent) {
      if (!memory.proven.has(uid)) memory.readOwners.add(toOwner(uid))
      if (memory.apart.size > 0) memory.apart.delete(uid)
      if (memory.rivals.has(uid)) memory.turns.set(uid, call.auctionId)
    }
    forgetOldest(memory.readOwners, maxRefused)
    memory.proven = sent
  }

  return {
    request: async (call) => {
      const startedAt = now()
      const memory = find(call.solver)
      forget(memory, call.orders, startedAt)
      const inTurn = listInTurn(memory, call.orders).filter(({ uid }) => !memory.refused.has(uid))
      const { known = [], fresh = [] } = Object.groupBy(inTurn, ({ uid }) =>
        memory.proven.has(uid) ? 'known' : 'fresh',
      )
      const isSuspect = (order: ListedOrder) =>
        memory.undecided.has(order.uid) ||
        memory.apart.has(order.uid) ||
        memory.rivals.has(order.uid) ||
        (memory.refusedForms.size > 0 && memory.refusedForms.has(findForm(order)))
      const canProbe = () => memory.brokenUntil <= startedAt
      const send = async (uids: ReadonlySet<Hex>) => {
        const response = await call.send(uids)
        learn(call, memory, uids)
        return response
      }

      const suspects = fresh.filter(isSuspect)
      let found: Decision | undefined
      if (suspects.length > 0 && canProbe()) found = await decide(call, memory, known, fresh, startedAt)
      const uids = toUids(found?.together ?? inTurn.filter((order) => !suspects.includes(order)))
      if (uids.size === 0 && found) remember(call, memory, found)
      if (uids.size === 0) return undefined
      try {
        const response = await send(uids)
        if (found) remember(call, memory, found)
        return response
      } catch (error) {
        if (!isReadFault(error) || !canProbe()) throw error
        // nothing new: what it read before is proven no longer
        const [base, doubted] = fresh.length > 0 ? [known, fresh] : [[], known]
        found ??= await decide(call, memory, base, doubted, startedAt)
        const again = toUids(found.together)
        if (found.isBroken || again.size === 0) {
          memory.proven = new Set()
          if (!found.isBroken) remember(call, memory, found)
          throw error
        }
        if (!areEqual(again, uids)) {
          try {
            const response = await send(again)
            remember(call, memory, found)
            return response
          } catch (error) {
            if (!isReadFault(error)) throw error
          }
        }
        // its probes were read and the auction was not: only a body that it read before is left
        const before = toUids(known)
        memory.proven = new Set()
        if (before.size === 0 || areEqual(before, again)) throw error
        return await send(before)
      }
    },
  }
}

/** `unchecked`: refused beside others, and maybe alone */
type Decision = Bisection & { unchecked: ListedOrder[] }

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
   * Sends an auction with the orders that the driver can read, at most three times.
   * @returns undefined when it can read none
   * @throws SolverError when the driver fails, or refuses for another reason than an order
   */
  request: <Response>(call: DriverCall<Response>) => Promise<Response | undefined>
}

/** Forgets what belongs to orders that have left the book, and what has ended. */
const forget = (memory: Memory, orders: readonly ListedOrder[], nowMs: number): void => {
  const { refused, named, apart, rivals, turns } = memory
  for (const ends of [refused, named]) for (const [uid, until] of ends) if (until <= nowMs) ends.delete(uid)
  if (apart.size === 0 && rivals.size === 0) return
  const listed = toUids(orders)
  for (const uid of [...apart.keys(), ...rivals.keys()]) {
    if (listed.has(uid)) continue
    apart.delete(uid)
    turns.delete(uid)
    for (const rival of rivals.get(uid) ?? []) {
      const others = rivals.get(rival)
      others?.delete(uid)
      if (others?.size === 0) rivals.delete(rival)
    }
    rivals.delete(uid)
  }
}

/** Of rivals, the orders that were sent longest ago. */
const listInTurn = ({ rivals, turns }: Memory, orders: readonly ListedOrder[]): readonly ListedOrder[] => {
  if (rivals.size === 0) return orders
  const lastIn = ({ uid }: ListedOrder) => turns.get(uid) ?? 0
  const taken = new Set<Hex>()
  for (const { uid } of orders.filter(({ uid }) => rivals.has(uid)).sort((a, b) => lastIn(a) - lastIn(b)))
    if (![...(rivals.get(uid) ?? [])].some((rival) => taken.has(rival))) taken.add(uid)
  return orders.filter(({ uid }) => !rivals.has(uid) || taken.has(uid))
}

/** Orders that were left out before and are tried again, and all others. */
const splitRetried = (memory: Memory, fresh: readonly ListedOrder[]): [ListedOrder[], ListedOrder[]] => {
  const { rivals, turns, apart } = memory
  const next = new Set([...apart].slice(0, maxRetried))
  const retried = fresh.filter(({ uid }) => rivals.has(uid) || next.has(uid))
  const lastTurn = ({ uid }: ListedOrder) => turns.get(uid) ?? 0
  return [
    retried.sort((a, b) => lastTurn(a) - lastTurn(b)),
    fresh.filter(({ uid }) => !rivals.has(uid) && !apart.has(uid)),
  ]
}

/**
 * Finds rivals of the orders that are readable apart.
 * @param mayReplace whether these orders, which were left out before, take the places of theirs
 * @returns the orders to send
 */
const findRivals = async (
  prober: Prober,
  { rivals }: Memory,
  { together, apart }: Bisection,
  mayReplace: boolean,
): Promise<ListedOrder[]> => {
  const placed = new Set<Hex>()
  let sent = together
  for (const [order] of apart) {
    let rest = sent
    for (let i = 0; i < maxReplaced && rest.length > 0; i++) {
      const rival = await findRival(prober, rest, order)
      if (!rival) break
      if (countPairs(rivals) < maxRefused) {
        rivals.set(order.uid, (rivals.get(order.uid) ?? new Set()).add(rival.uid))
        rivals.set(rival.uid, (rivals.get(rival.uid) ?? new Set()).add(order.uid))
      }
      if (!mayReplace || placed.has(rival.uid) || !prober.mayProbe()) break
      rest = rest.filter((other) => other !== rival)
      if (await prober.findRefusal([...rest, order])) continue
      sent = [...rest, order]
      placed.add(order.uid)
      break
    }
  }
  return sent
}

const countPairs = (rivals: Memory['rivals']): number => [...rivals.values()].reduce((sum, { size }) => sum + size, 0)

/** New orders in the sequence of probes; one of each owner in turn, so that many of one owner delay no other. */
const toGroups = (memory: Memory, fresh: readonly ListedOrder[]): ListedOrder[][] => {
  const counts = new Map<string, number>()
  const ranked = fresh.map((order) => {
    const owner = toOwner(order.uid)
    const count = counts.get(owner) ?? 0
    counts.set(owner, count + 1)
    return { order, count, rank: toRank(memory, order, owner) }
  })
  const groups = Object.groupBy(ranked, ({ rank }) => rank)
  return Object.keys(groups)
    .sort((a, b) => Number(a) - Number(b))
    .map((rank) => (groups[Number(rank)] ?? []).sort((a, b) => a.count - b.count).map(({ order }) => order))
}

/** Lower is first. */
const toRank = (memory: Memory, order: ListedOrder, owner: string): number =>
  (memory.refusedForms.has(findForm(order)) ? 2 : 0) + (memory.readOwners.has(owner) ? 0 : 1)

const isReadFault = (error: unknown): error is SolverError => error instanceof SolverError && isReadRefusal(error)

const areEqual = (a: ReadonlySet<Hex>, b: ReadonlySet<Hex>): boolean =>
  a.size === b.size && [...a].every((uid) => b.has(uid))

/** Account in a UID: digest, owner, validTo. */
const toOwner = (uid: Hex): string => uid.slice(66, 106)

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

const findForm = createFormFinder()

/** Names and types of all fields of an order, without values: orders of one form are mostly read or refused alike. */
const toForm = ({ body }: ListedOrder): string => JSON.stringify(toShape(JSON.parse(body)))

const toShape = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(toShape(item))))].sort()
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.entries(value).map(([name, field]) => [name, toShape(field)])
}
