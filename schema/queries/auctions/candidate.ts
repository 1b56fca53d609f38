import { getTableColumns } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { ParsedAppData } from '#shared/appData/parseAppData.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import type { ProgressLabel } from '../events/progressEvents.ts'
import type { OrderFailures } from '../settlements/groupFailures.ts'

const {
  chainId: _,
  fullBalanceCheck: _check,
  version: _version,
  jitBlock: _block,
  referrerCode: _referrerCode,
  admissionMs: _admissionMs,
  submittedBy: _submittedBy,
  ...orderColumns
} = getTableColumns(orders)

/** The fields of an order that auctions use. */
export const candidateColumns = orderColumns

/** The fields of an order's quote that fees and solvers use. */
export const quoteColumns = {
  sellAmount: orderQuotes.sellAmount,
  buyAmount: orderQuotes.buyAmount,
  feeAmount: orderQuotes.feeAmount,
  solver: orderQuotes.solver,
}

/** An order that may enter an auction, with its state. */
export type Candidate = {
  order: Omit<
    typeof orders.$inferSelect,
    'chainId' | 'fullBalanceCheck' | 'version' | 'jitBlock' | 'referrerCode' | 'admissionMs' | 'submittedBy'
  >
  /** atoms; null for an order without a quote */
  quote: Pick<typeof orderQuotes.$inferSelect, keyof typeof quoteColumns> | null
  /** hooks that may fund the order within its settlement; null without any */
  funding: Pick<ParsedAppData, 'flashloan' | 'wrappers'> | null
  inFlight: boolean
  /** sell token atoms of the order in running settlements */
  sellInFlight: bigint
  /** it was in the newest auction */
  entered: boolean
  newestLabel: ProgressLabel | null
  newestReason: string | null
  /** null without a failed settlement since the last fill */
  settlementFailures: OrderFailures | null
}

/** A candidate as read; every change that matters to auctions changes its version. */
export type KnownCandidate = Candidate & { version: number }

/** State of an order that may enter an auction; its version shows whether the known order is current. */
export type CandidateStanding = { uid: Hex; version: number } & Pick<Candidate, 'newestLabel' | 'newestReason'>
