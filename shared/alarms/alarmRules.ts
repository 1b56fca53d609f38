import { formatCount, formatMs, formatPercent, formatSpan } from './formatFigure.ts'
import type { NetworkStatus } from './networkStatusSchema.ts'

type Solver = Omit<NetworkStatus['solvers'][number], 'address'> & { address: string }

/** A `NetworkStatus`, before or after its transfer as JSON. */
export type JudgedStatus = Omit<NetworkStatus, 'solvers'> & { solvers: Solver[] }

/** Inputs of a limit beside the status. */
export type AlarmContext = { blockTimeSeconds: number }

/** An exceeded figure; `subject` separates the solvers of a network. */
export type Crossing = { subject: string | null; value: string }

export type AlarmRule = {
  /** the first three columns of its row in docs/operations.md; of the last one only the beginning */
  figure: string
  when: string
  advice: string
  /** display text */
  label: string
  /** threshold, shown beside the value; null without a number */
  toLimit: ((context: AlarmContext) => string) | null
  /** seconds that it must last; 0: immediately */
  lastsSeconds: number
  findCrossings: (status: JudgedStatus, context: AlarmContext) => Crossing[]
}

const headAgeBlocks = 10
const toHeadAge = ({ blockTimeSeconds }: AlarmContext) =>
  Math.max(headAgeBlocks * blockTimeSeconds, limits.headAgeSeconds)
/** Blocks that the index may be behind: those of some seconds on fast networks. */
export const toLagBlocks = ({ blockTimeSeconds }: AlarmContext) =>
  Math.max(limits.lagBlocks, Math.ceil(limits.lagBlocksSeconds / blockTimeSeconds))
const busyFills = 24
const failureShare = 0.2
/** Threshold of a figure, in its own unit. */
export const limits = {
  lagBlocks: 5,
  lagBlocksSeconds: 20,
  headAgeSeconds: 30,
  lagSeconds: 60,
  auctionAgeSeconds: 60,
  lastWinAgeSeconds: 3_600,
  missedAuctions: 10,
  undeliveredSeconds: 300,
  quoteMs: 3_000,
  submissionMs: 1_000,
}

const duration = (minutes: number) => {
  const text = `for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return { text, lastsSeconds: minutes * 60 }
}
const [oneMinute, twoMinutes, tenMinutes] = [duration(1), duration(2), duration(10)]

/** Compares a figure of the network with a limit; null never exceeds it. */
const over = (value: number | null, limit: number, format: (value: number) => string): Crossing[] =>
  value !== null && value > limit ? [{ subject: null, value: format(value) }] : []

/** The alarms of docs/operations.md that a status can raise; a test compares both. */
export const alarmRules = {
  unavailable: {
    figure: '`state` of a network is `unavailable`',
    when: oneMinute.text,
    advice: '`/readyz` says which Worker and dependency.',
    label: 'The status of the network is unavailable',
    toLimit: null,
    lastsSeconds: oneMinute.lastsSeconds,
    // there is no status: handled by computeAlarms
    findCrossings: () => [],
  },
  lagBlocks: {
    figure: '`indexer.lagBlocks`',
    when: `> ${limits.lagBlocks} and > ${limits.lagBlocksSeconds} s of blocks ${twoMinutes.text}`,
    advice: 'look for `step failed` with `step: index`. A 429 of the node: a larger plan.',
    label: 'Indexer behind the head',
    toLimit: (context) => `${toLagBlocks(context)} blocks`,
    lastsSeconds: twoMinutes.lastsSeconds,
    findCrossings: ({ indexer }, context) =>
      over(indexer.lagBlocks, toLagBlocks(context), (blocks) => `${formatCount(blocks)} blocks`),
  },
  lagSeconds: {
    figure: '`indexer.lagSeconds`',
    when: `> ${limits.lagSeconds} ${twoMinutes.text}`,
    advice: 'look for `step failed` with `step: index`',
    label: 'Indexer behind the head, in time',
    toLimit: () => formatSpan(limits.lagSeconds),
    lastsSeconds: twoMinutes.lastsSeconds,
    findCrossings: ({ indexer }) => over(indexer.lagSeconds, limits.lagSeconds, formatSpan),
  },
  headAge: {
    figure: '`indexer.headAgeSeconds`',
    when: `> ${headAgeBlocks} block times, at least ${limits.headAgeSeconds} s`,
    advice: 'the node is stuck: use another `RPC_URL`',
    label: "Age of the node's newest block",
    toLimit: (context) => formatSpan(toHeadAge(context)),
    lastsSeconds: 0,
    findCrossings: ({ indexer }, context) => over(indexer.headAgeSeconds, toHeadAge(context), formatSpan),
  },
  noHead: {
    figure: '`indexer.head` is null',
    when: oneMinute.text,
    advice: 'the node is down or slow: use another `RPC_URL`. Orders are 503 meanwhile, reads are not',
    label: 'The node does not respond',
    toLimit: null,
    lastsSeconds: oneMinute.lastsSeconds,
    findCrossings: ({ indexer }) => (indexer.head === null ? [{ subject: null, value: 'no response' }] : []),
  },
  chainDifference: {
    figure: '`indexer.difference`',
    when: `is not null ${oneMinute.text}`,
    advice:
      'a node of `RPC_URL` leaves out logs, or the index lacks a trade. It is repaired from another node of `RPC_URL`: add one, or replace the one that leaves logs out.',
    label: 'The chain and the index differ',
    toLimit: null,
    lastsSeconds: oneMinute.lastsSeconds,
    findCrossings: ({ indexer: { difference } }) => (difference === null ? [] : [{ subject: null, value: difference }]),
  },
  auctionAge: {
    figure: '`auctions.newestAgeSeconds`, with `openOrders` > 0',
    when: `> ${limits.auctionAgeSeconds}`,
    advice: '`step failed` with `step: auction`. Cuts need the node and the database',
    label: 'Age of the newest auction, with open orders',
    toLimit: () => formatSpan(limits.auctionAgeSeconds),
    lastsSeconds: 0,
    findCrossings: ({ auctions: { newestAgeSeconds, openOrders } }) => {
      if (openOrders === 0) return []
      // its block is no longer stored
      if (newestAgeSeconds === null) return [{ subject: null, value: 'long ago' }]
      return over(newestAgeSeconds, limits.auctionAgeSeconds, formatSpan)
    },
  },
  lastWin: {
    figure: '`auctions.lastWinAgeSeconds`, with `openOrders` > 0',
    when: `> ${formatCount(limits.lastWinAgeSeconds)} on a busy network (${busyFills} fills or more in 24 hours)`,
    advice:
      'auctions without solutions: `solutions` and `winners` of the `auction` lines; why one order waits: `GET /{network}/api/v1/debug/order/{uid}`',
    label: 'Since the last win, with open orders',
    toLimit: () => formatSpan(limits.lastWinAgeSeconds),
    lastsSeconds: 0,
    findCrossings: ({ auctions, hours }) => {
      const fills = hours.reduce((sum, hour) => sum + hour.fills, 0)
      const isBusy = auctions.openOrders > 0 && fills >= busyFills
      return isBusy ? over(auctions.lastWinAgeSeconds, limits.lastWinAgeSeconds, formatSpan) : []
    },
  },
  solverFailures: {
    figure: '`failures` of a solver',
    when: `> ${formatPercent(failureShare, 1)} of its attempts`,
    advice: 'it wins and does not settle: contact its operator, or remove it from `SOLVERS`',
    label: 'Failed settlements',
    toLimit: () => formatPercent(failureShare, 1),
    lastsSeconds: 0,
    findCrossings: ({ solvers }) =>
      solvers
        .filter(({ attempts, failures }) => failures > failureShare * attempts)
        .map(({ address, attempts, failures }) => ({ subject: address, value: formatPercent(failures, attempts) })),
  },
  solverStopped: {
    figure: '`missedAuctions` of a solver on `SOLVERS`',
    when: `> ${limits.missedAuctions}`,
    advice:
      'it gives no valid solution while others do: does its driver run? `no solutions` and `solution rejected` lines with its name have the reason.',
    label: 'Solver stopped: missed auctions',
    toLimit: () => formatCount(limits.missedAuctions),
    lastsSeconds: 0,
    findCrossings: ({ solvers }) =>
      solvers
        .filter(({ name, missedAuctions }) => name !== null && missedAuctions > limits.missedAuctions)
        .map(({ address, missedAuctions }) => ({ subject: address, value: formatCount(missedAuctions) })),
  },
  solverFault: {
    figure: '`fault` of a solver',
    when: 'is not null',
    advice:
      'it cannot settle: `funds`, send native tokens to its account; `settlements`, its queue is stuck for the reason given; `rpc`, its node does not respond.',
    label: 'Solver cannot settle',
    toLimit: null,
    lastsSeconds: 0,
    findCrossings: ({ solvers }) =>
      solvers.flatMap(({ address, fault }) => (fault === null ? [] : [{ subject: address, value: fault }])),
  },
  allSuspended: {
    figure: '`suspension` of every solver on `SOLVERS`',
    when: 'none is null',
    advice:
      'all are suspended: the one that ends first returns without the orders from which it is barred, so these wait. `solver suspended` lines say why; a node or a chain that stalls suspends all at once.',
    label: 'All solvers are suspended',
    toLimit: null,
    lastsSeconds: 0,
    findCrossings: ({ solvers }) => {
      const here = solvers.filter(({ name }) => name !== null)
      const isCrossed = here.length > 0 && here.every(({ suspension }) => suspension !== null)
      return isCrossed ? [{ subject: null, value: 'all suspended' }] : []
    },
  },
  undelivered: {
    figure: '`notifications.oldestUndeliveredSeconds`',
    when: `> ${limits.undeliveredSeconds}`,
    advice:
      "the queue's consumer, or one target that is down: deliveries are tried for longer than that, so look whether it is one subscription or all",
    label: 'Oldest undelivered notification',
    toLimit: () => formatSpan(limits.undeliveredSeconds),
    lastsSeconds: 0,
    findCrossings: ({ notifications }) =>
      over(notifications.oldestUndeliveredSeconds, limits.undeliveredSeconds, formatSpan),
  },
  quoteLatency: {
    figure: '`quotes.p95Ms`',
    when: `> ${formatCount(limits.quoteMs)} ${tenMinutes.text}`,
    advice: 'all solvers are slow, or their nodes: `timeoutMs` in `SOLVERS` bounds one of them',
    label: 'Quotes, p95',
    toLimit: () => formatMs(limits.quoteMs),
    lastsSeconds: tenMinutes.lastsSeconds,
    findCrossings: ({ quotes }) => over(quotes.p95Ms, limits.quoteMs, formatMs),
  },
  submissionLatency: {
    figure: '`submissions.p95Ms`',
    when: `> ${formatCount(limits.submissionMs)} ${tenMinutes.text}`,
    advice: '`rpcMs` against `dbMs` of POST `/{network}/api/v1/orders`',
    label: 'Submissions, p95',
    toLimit: () => formatMs(limits.submissionMs),
    lastsSeconds: tenMinutes.lastsSeconds,
    findCrossings: ({ submissions }) => over(submissions.p95Ms, limits.submissionMs, formatMs),
  },
} as const satisfies Record<string, AlarmRule>

export type AlarmId = keyof typeof alarmRules
