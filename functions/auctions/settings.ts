import { z } from 'zod'
import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'
import { feeSettings, readFeeRules } from '#shared/fees/feeSettings.ts'
import { binding } from '#shared/settings/binding.ts'
import { HIDE_COMPETITION_BEFORE_DEADLINE } from '#shared/settings/competitionSettings.ts'
import { DATABASE_URL, NETWORK, RPC_URL } from '#shared/settings/connectionSettings.ts'
import {
  BANNED_USERS,
  MAX_GAS_PER_ORDER,
  MIN_VALIDITY_SECONDS,
  OUT_OF_MARKET_BPS,
  UNSUPPORTED_TOKENS,
} from '#shared/settings/orderRuleSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import { readSolvers } from '#shared/solvers/readSolvers.ts'
import { SOLVERS } from '#shared/solvers/solverSettings.ts'
import { addressListSchema } from '#shared/validation/settingFormats.ts'
import type { SolverConnections } from './solvers/connectThroughObjects.ts'

/** The namespace of the Durable Object `AuctionClock`. */
type Clocks = {
  getByName: (
    network: string,
    options?: { locationHint?: string },
  ) => { arm: () => Promise<void>; wake: () => Promise<void> }
}

/** The service binding of the notifier. */
type Notifier = { fetch: (url: string, init: RequestInit) => Promise<Response> }

const positive = z.coerce.number().int().positive()
const blockNumber = z.coerce.number().int().nonnegative()

/** The environment of the auctions Worker; the service bindings named in `SOLVERS` pass through unparsed. */
export const settingsSchema = z
  .looseObject({
    NETWORK,
    DATABASE_URL,
    RPC_URL,
    SOLVERS,
    SOLVE_TIME_MS: setting(positive, {
      description: 'time that solvers have for an auction',
      scope: 'network',
      unit: 'ms',
      default: '10000',
    }),
    SUBMISSION_DEADLINE_SECONDS: setting(positive, {
      description: 'time that a winner has to settle, rounded up to blocks of the network, at least two',
      scope: 'network',
      unit: 's',
      absent: 'five block times, at least 15 s',
    }),
    MIN_VALIDITY_SECONDS,
    MAX_AUCTION_ORDERS: setting(z.coerce.number().int().min(5), {
      description: 'open orders that one auction considers; a larger book has its nearest, its newest and some in turn',
      scope: 'network',
      default: '5000',
    }),
    BANNED_USERS,
    UNSUPPORTED_TOKENS,
    OUT_OF_MARKET_BPS,
    MAX_GAS_PER_ORDER,
    ONCHAIN_ORDER_CONTRACTS: setting(addressListSchema, {
      description:
        'contracts whose `OrderPlacement` events are orders, separated by commas; trusted ones only, since the signatures of their orders are not checked',
      scope: 'network',
      absent: 'the contract for native tokens of own `CONTRACTS`, none of a public set',
    }),
    START_BLOCK: setting(blockNumber, {
      description: 'first block of an empty index',
      scope: 'network',
      absent: 'the first block of a short chain, else the head',
    }),
    REINDEX_FROM: setting(blockNumber, {
      description: 'block before the fork of a reorganisation of more than a week; indexing restarts there',
      scope: 'network',
      absent: 'no restart',
    }),
    SURPLUS_CAPTURING_JIT_ORDER_OWNERS: setting(addressListSchema, {
      description: "owners whose just-in-time orders count towards a solver's score, separated by commas",
      scope: 'network',
      default: '',
    }),
    HIDE_COMPETITION_BEFORE_DEADLINE,
    QUOTE_RETENTION_DAYS: setting(z.coerce.number().int().min(1), {
      description: 'quotes are deleted after this time; orders keep copies of the quotes that they name',
      scope: 'network',
      unit: 'days',
      default: '7',
    }),
    // statistics of solvers read the solutions of a week
    ARCHIVE_AFTER_DAYS: setting(z.coerce.number().int().min(8), {
      description:
        'final competitions, and events of ended orders, move to the R2 bucket of the archive after this time, whole days of UTC; a large number stops it and keeps the archive readable',
      scope: 'network',
      unit: 'days',
      absent: 'all of them stay in the database, and no bucket is bound',
    }),
    ...feeSettings,
    /** bound with `ARCHIVE_AFTER_DAYS` */
    ARCHIVE: z.custom<ArchiveBucket>().optional(),
    /** optional; notifications are sent only with it */
    NOTIFIER: z.custom<Notifier>().optional(),
    CLOCK: binding<Clocks>(),
    SOLVER_CONNECTIONS: binding<SolverConnections>(),
  })
  .transform((env, context) => ({
    ...env,
    feeRules: readFeeRules(env, context),
    solvers: readSolvers(env, context),
  }))

export type Settings = z.infer<typeof settingsSchema>
