import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase, type Database } from '#schema/client.ts'
import { networks } from '#shared/networks.ts'
import { type ExplainedStatement, explainStatements } from '#test/helpers/database/growth/explainStatements.ts'
import { type HistoryCall, historyReads } from '#test/helpers/database/growth/historyReads.ts'
import { historyWrites } from '#test/helpers/database/growth/historyWrites.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type History, insertHistory } from '#tools/bench/history/insertHistory.ts'
import { type DatabaseEndpoint, databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'

const orders = Number(process.env.HISTORY_ORDERS ?? (process.env.LONG ? 2_000_000 : 20_000))
const patienceMs = 1_800_000

/** Pages that a call may read whatever it returns: the levels of the indexes of all its statements, and an empty hash table. */
const buffersOfCall = 400
/** Pages for each row that it returns: a look-up in each of five tables by an index of four levels. */
const buffersPerRow = 25
/** Pages for each row that it writes: the row, and an entry in each index of its table. */
const buffersPerWrittenRow = 100
/** Pages for each row of its documented window: one look-up, or a few entries of an index. */
const buffersPerReadRow = 6

const calls: Record<string, HistoryCall[]> = { ...historyReads, ...historyWrites }

/** Exported functions that run no statement of their own, and where their SQL is measured. */
const parts: Record<string, string> = {
  buildInsertStatements: 'insertOrder',
  canReplace: 'insertOrder',
  countFailures: 'closeAttemptsAsFailed',
  finalTime: 'sumReferredHours',
  findExceeded: 'reads no row',
  findPricingRule: 'reads no row',
  findTokenWords: 'selectTokens',
  gainOfTrade: 'selectTotalSurplus',
  groupFailures: 'reads no row',
  hourOf: 'insertReferredHours',
  insertNotifications: 'insertTransitions',
  insertOnchainOrders: 'updateChain',
  insertQuoteCopies: 'insertOrder',
  isCancellable: 'updateCancelledOrders',
  isPriceable: 'insertOrder',
  isProgressLabel: 'reads no row',
  isWithinBounds: 'insertOrder',
  logEvents: 'insertTransitions',
  lostWithOrder: 'selectDebugReport',
  nearestPrice: 'selectTraderActivity',
  newestFirst: 'selectTrades',
  newestReferredTrades: 'selectTraderActivity',
  offeredQuoteColumns: 'selectPlacementFacts',
  openBook: 'selectCandidates',
  orderKey: 'selectDebugReport',
  ordersInFlight: 'insertCompetition',
  pricingColumns: 'insertOrder',
  referredVolumes: 'selectAffiliateStatistics',
  runBatch: 'updateChain',
  scanPage: 'selectNetworkOrders',
  selectCounts: 'insertOrder',
  selectMatchingQuote: 'selectPlacementFacts',
  selectPricing: 'insertOrder',
  selectWithDocument: 'selectOrder',
  selectWithQuote: 'selectOrder',
  toBytes: 'reads no row',
  toFoundPricing: 'reads no row',
  toHolder: 'reads no row',
  toParam: 'reads no row',
  toPricingValues: 'reads no row',
  toStoredOrder: 'reads no row',
  toUidText: 'reads no row',
  tradesOfAccount: 'selectTotalSurplus',
  tradesOfHour: 'selectTraderActivity',
  ageInSeconds: 'selectCurrentStatus',
  competitionLineOf: 'selectArchivableCompetitions',
  eventsLineOf: 'selectArchivableEvents',
  inMillionths: 'reads no row',
  inSeconds: 'reads no row',
  insertCancellations: 'updateChain',
  insertCancelledEvents: 'updateChain',
  insertEvents: 'updateChain',
  insertExpiredEvents: 'updateChain',
  insertQuotes: 'updateChain',
  insertRefunds: 'updateChain',
  isConfirmable: 'confirmSubscription',
  isEventOf: 'deleteArchivedEvents',
  isOfSigner: 'selectSubscriptions',
  isReadable: 'selectNewOrderEvents',
  isReported: 'closeSettledAttempts',
  nativeOf: 'reads no row',
  oldestUndelivered: 'selectCurrentStatus',
  paidTo: 'selectAffiliateStatistics',
  readPage: 'selectNewOrderEvents',
  selectCandidateOrders: 'selectCandidates',
  selectFills: 'selectCurrentStatus',
  selectObject: 'selectCurrentStatus',
  selectOrdersSince: 'updateChain',
  selectSolvedAuctions: 'selectRecentStatus',
  selectSolverCounts: 'selectRecentStatus',
  selectStandings: 'selectCandidates',
  selectTimesToFill: 'selectCurrentStatus',
  suspensionsOf: 'selectCurrentStatus',
  toArray: 'reads no row',
  toDate: 'reads no row',
  toHorizon: 'reads no row',
  toTerms: 'reads no row',
  toTime: 'reads no row',
  toTraderBytes: 'reads no row',
  undoBlocks: 'updateChain',
  uidList: 'updateCancelledOrders',
  uncountFailures: 'closeSettledAttempts',
  useNonce: 'useSubscription',
  withinCap: 'selectAffiliateStatistics',
}

test('every exported query has worst-case arguments', async () => {
  const files = await readdir(import.meta.dirname, { recursive: true })
  const modules = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const exported = await Promise.all(
    modules.map(async (file) => Object.entries((await import(join(import.meta.dirname, file))) as object)),
  )
  const functions = exported.flat().flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
  expect(functions.length).toBeGreaterThan(120)
  const named = [...Object.keys(calls), ...Object.keys(parts)]
  const missing = functions.filter((name) => !named.includes(name))
  expect(missing, 'belong in test/helpers/database/growth/historyReads.ts or historyWrites.ts').toEqual([])
  expect(named.toSorted()).toEqual(functions.toSorted())
  const measured = new Set([...Object.keys(calls), 'reads no row'])
  expect(Object.values(parts).filter((name) => !measured.has(name))).toEqual([])
})

// an embedded database has other costs, and loads too slowly
describe.skipIf(!process.env.TEST_DATABASE_URL)(`with ${orders} orders`, () => {
  let close: () => Promise<void>
  let history: History
  let explained: ExplainedStatement[] = []
  let explaining: { endpoint: DatabaseEndpoint; database: Database }

  beforeAll(async () => {
    const store = await startTestDatabase()
    close = store.close
    const { serverUrl } = store
    if (!serverUrl) throw new Error('no server')
    history = await insertHistory(serverUrl, networks.sepolia.chainId, orders)
    const backend = await explainStatements(serverUrl, (statement) => {
      explained.push(statement)
    })
    const endpoint = await databaseEndpoint({ backend, port: 0 })
    explaining = { endpoint, database: connectDatabase(endpoint.databaseUrl, patienceMs) }
    close = async () => {
      await endpoint.close()
      await backend.close()
      await store.close()
    }
  }, patienceMs)
  afterAll(() => close?.(), 60_000)

  test.each(Object.keys(calls))(
    '%s reads no more than it returns and writes',
    async (name) => {
      for (const [i, { run, reads }] of (calls[name] ?? []).entries()) {
        explained = []
        await run(explaining.database, history)
        const sum = (field: 'buffers' | 'rows' | 'written') =>
          explained.reduce((total, statement) => total + statement[field], 0)
        const [buffers, rows, written] = [sum('buffers'), sum('rows'), sum('written')]
        const bound =
          buffersOfCall +
          buffersPerRow * rows +
          buffersPerWrittenRow * written +
          buffersPerReadRow * (reads?.(history) ?? 0)
        const line = `${name} ${i}: ${buffers} of ${Math.round(bound)} pages, ${rows} rows, ${written} written`
        if (process.env.HISTORY_REPORT) await appendFile(process.env.HISTORY_REPORT, `${line}\n`)
        const worst = explained.toSorted((a, b) => b.buffers - a.buffers)[0]
        expect(buffers, `call ${i} of ${name}: ${worst?.query}`).toBeLessThanOrEqual(bound)
      }
    },
    patienceMs,
  )
})
