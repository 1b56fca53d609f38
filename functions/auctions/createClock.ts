import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { FindPauses } from '#shared/pauses/pauses.ts'
import type { BookDeps } from './book/bookDeps.ts'
import { auctionIntervalMs, createBook } from './book/createBook.ts'
import { createFirstWaits } from './book/createFirstWaits.ts'
import type { CompetitionDeps } from './competition/competitionDeps.ts'
import { createCompetition } from './competition/createCompetition.ts'
import { createIndexing } from './indexing/createIndexing.ts'
import type { Indexed } from './indexing/indexChain.ts'
import type { IndexingDeps } from './indexing/indexingDeps.ts'
import { logWork } from './logWork.ts'
import { runStep } from './runStep.ts'
import { createSettling } from './settling/createSettling.ts'
import type { SettlingDeps } from './settling/settlingDeps.ts'
import { createStrategies } from './strategies/createStrategies.ts'
import type { StrategyDeps } from './strategies/strategyDeps.ts'

export type Clock = {
  /** Indexes new blocks, then starts an auction in the background if one is due. Never throws: errors are logged. */
  tick: () => Promise<void>
  /** Makes an auction due before the next block, because there is something new to auction. */
  wake: () => void
}

/** What the four components use, and the notifier. */
export type ClockDeps = IndexingDeps &
  BookDeps &
  CompetitionDeps &
  StrategyDeps &
  SettlingDeps & {
    /** wakes the notifier after possible order events; undefined: notifications are disabled */
    notify: (() => Promise<unknown>) | undefined
    findPauses: FindPauses
  }

/** Longest wait of a block's auction for its conditional orders. */
const maxEvaluationMs = 1_000

/**
 * The auction clock. Each tick drives the five components in this order:
 *
 *     indexing     chain → database
 *     strategies   conditional orders → the parts that are tradeable now
 *     book         open orders → the auction of the newest block
 *     competition  auction → solutions → winners
 *     settling     winners → settlements, and the standing of solvers
 *
 * One auction runs at a time, in the background, so that indexing continues during the competition. Every step may
 * fail or be killed at any point: the next tick resumes from the database.
 */
export const createClock = (deps: ClockDeps): Clock => {
  const indexing = createIndexing(deps)
  const strategies = createStrategies(deps)
  const book = createBook(deps)
  const competition = createCompetition(deps)
  const settling = createSettling(deps)
  let isTicking = false
  let auction: Promise<unknown> | undefined
  let evaluation: Promise<unknown> | undefined
  const evaluations = createFirstWaits(deps.now)
  let isWoken = true
  /** head and time (Unix milliseconds) of the newest auction */
  let last: { blockHash: string; at: number } | undefined

  const isDue = ({ hash }: IndexedBlock): boolean =>
    isWoken || last?.blockHash !== hash || Math.abs(deps.now() - last.at) >= auctionIntervalMs

  /** @returns counts for the log; undefined when there was nothing to auction */
  const holdAuction = async (head: IndexedBlock) => {
    // first, because an order whose failure is attributed now waits
    const judged = await settling.judge()
    const pauses = await deps.findPauses()
    const auction = await book.cut(head, settling.findWaiting(head.number), pauses)
    if (!auction) return undefined
    const { solutions, attempts } = await competition.hold(auction, await settling.findRules(auction, judged, pauses))
    if (attempts.length === 0) book.setAside(auction)
    // the remaining orders may find a solution before the next block
    else isWoken = true
    settling.settle(attempts)
    const counts = { orders: auction.orders.size, solutions, winners: attempts.length }
    return { auction: auction.id, block: auction.block, ...counts }
  }

  /** Best effort: the notifier also polls every minute. */
  const notify = (): void => {
    if (deps.notify) deps.background(runStep(deps, 'notify', deps.notify))
  }

  const startAuction = (head: IndexedBlock): void => {
    isWoken = false
    last = { blockHash: head.hash, at: deps.now() }
    const run = () => runStep(deps, 'auction', () => holdAuction(head))
    auction = logWork(deps, 'auction', run, (held) => held).finally(() => {
      auction = undefined
      notify()
    })
    deps.background(auction)
  }

  /** A failure, or handlers that take long, delay conditional orders only: late parts are in the next auction. */
  const evaluateConditionalOrders = async (head: IndexedBlock): Promise<void> => {
    if (!evaluation) {
      // their parts are new orders
      const advance = async () => {
        const pauses = await deps.findPauses()
        return pauses.has('network') || pauses.has('orders') ? undefined : strategies.advance(head)
      }
      const run = () => runStep(deps, 'strategies', advance)
      evaluation = logWork(deps, 'conditional orders', run, (counts) => counts).finally(() => {
        evaluation = undefined
      })
    }
    await evaluations.waitFor(evaluation, maxEvaluationMs)
    if (evaluation) deps.background(evaluation)
  }

  return {
    wake: () => {
      isWoken = true
    },
    tick: async () => {
      if (isTicking) return
      isTicking = true
      try {
        const indexed = await logWork(deps, 'tick', () => runStep(deps, 'index', indexing.advance), describeTick)
        if (indexed && indexed.blocks > 0) notify()
        if (!indexed?.caughtUp) return
        await evaluateConditionalOrders(indexed.head)
        if (auction) return
        if (isDue(indexed.head)) startAuction(indexed.head)
      } finally {
        isTicking = false
      }
    },
  }
}

/** `head` is null when indexing failed or pauses. */
const describeTick = (indexed: Indexed | undefined) => ({
  blocks: indexed?.blocks ?? 0,
  head: indexed?.head.number ?? null,
  caughtUp: indexed?.caughtUp ?? false,
})
