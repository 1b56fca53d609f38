import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { isOpenOfOwner, orders } from '#schema/tables/orders/orders.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { type Inspector, inspectResponses } from '../http/inspectResponses.ts'
import { createAccounts } from '../orders/createTrader.ts'
import { patientAuctions, patientQuotes, startBareTestStack } from './testStack.ts'

export type SharedStack = {
  info: StackInfo
  chain: LocalChain
  /** leaves the stack running; throws when a response of this file deviated from the OpenAPI document */
  stop: () => Promise<void>
}

type Running = { info: StackInfo; chain: LocalChain; inspector: Inspector }

/** Signs the receipts of its orders. */
export const receiptKey = `0x${'5e'.repeat(32)}` as const

let running: Promise<Running> | undefined

/**
 * The stack of this worker process, which its test files use one after the other; the first call starts it. Each file has
 * other accounts, in the place of those of the stack; of earlier files the open orders are cancelled, and prices and
 * auctions remain. A file changes no settings, stops and reorganises nothing, and leaves mining as it is.
 */
export const useSharedStack = async (): Promise<SharedStack> => {
  running ??= start()
  const { info, chain, inspector } = await running
  await connectDatabase(info.databaseUrl).update(orders).set({ cancelledAt: sql`now()` }).where(isOpenOfOwner(orders))
  const accounts = await createAccounts({ info, chain }, info.accounts.length)
  return { info: { ...info, accounts }, chain, stop: async () => inspector.check() }
}

/**
 * Its solvers have the time of a deployment, because tests expect solutions of both also on a busy machine. It accepts
 * orders that end soon, so that tests of expiry need not wait for a minute, and its affiliate program pays for small volumes.
 * The folder is removed after the run, and the processes end with this one.
 */
const start = async (): Promise<Running> => {
  const rules = { MIN_VALIDITY_SECONDS: '5' }
  const affiliate = { AFFILIATE_PROGRAM: JSON.stringify({ triggerVolume: 100, volumeCap: 1_000_000 }) }
  const dir = await mkdtemp(join(inject('sharedStacksFolder'), 'edgebook-'))
  const auctions = { ...rules, ...patientAuctions }
  const debug = { ...rules, RECEIPT_PRIVATE_KEY: receiptKey }
  const vars = { auctions, affiliate, quotes: { ...rules, ...patientQuotes }, orders: rules, debug }
  const { info, chain } = await startBareTestStack({ dir, vars })
  const inspector = await inspectResponses(info.baseUrl)
  return { info: { ...info, baseUrl: inspector.baseUrl }, chain, inspector }
}
