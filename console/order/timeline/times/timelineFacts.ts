import type { DebugReport, Order, OrderEvent, Trade } from '../../loading/loadOrder.ts'
import type { HookOutcome } from '../describeHooks.ts'

/** An event of an order, from the stream or, with fewer fields, from the debug report. */
export type Step = Pick<OrderEvent, 'timestamp'> & {
  label: string
  reason?: string | null
  /** of the debug report; the stream has them in `data` */
  hooks?: HookOutcome[]
} & Partial<Pick<OrderEvent, 'auctionId' | 'blockNumber' | 'data' | 'trade' | 'notifications'>>

/** A notification of the account; `message` is null while its text is not loaded. */
export type OrderNotification = { id: number; type: string; message: string | null; time: number }

export type TimelineFacts = {
  order: Order
  report: DebugReport | null
  /** oldest first */
  steps: readonly Step[]
  /** newest first */
  trades: readonly Trade[]
  notifications: readonly OrderNotification[]
  /** Unix milliseconds */
  now: number
  blockTimeSeconds: number
}

/** An entry at `time`, Unix milliseconds; `isAbout`: estimated from its block. */
export type Entry = { time: number; isAbout?: boolean } & (
  | {
      kind: 'step'
      label: string
      reason: string | null
      auctionId: number | null
      data: Record<string, unknown> | null
    }
  | { kind: 'auction'; id: number; solutions: number; winner: { solver: string; score: string } | null }
  /** consecutive auctions in which solvers proposed to fill the order, but other solutions won */
  | { kind: 'auctions'; first: number; last: number; count: number; until: number }
  | { kind: 'attempt'; auctionId: number; solver: string; until: number | null; outcome: string | null }
  | { kind: 'trade'; trade: Trade }
  | ({ kind: 'notification' } & OrderNotification)
)

export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

export type TimedEvents = { auctions: EntryOf<'auction'>[]; attempts: EntryOf<'attempt'>[]; trades: EntryOf<'trade'>[] }
