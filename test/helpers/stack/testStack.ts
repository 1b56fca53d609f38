import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareFolder } from '#tools/stack/folder/prepareFolder.ts'
import { type Stack, type StackOptions, startStack } from '#tools/stack/startStack.ts'
import { takeDatabase } from '../database/takeDatabase.ts'
import { inspectResponses } from '../http/inspectResponses.ts'

/**
 * Settings of the auctions Worker: solvers have the time of a deployment, not that of a local stack, whose blocks come more often
 * than those of its network. An unproven solver has 10 blocks to settle, because one that misses its deadline is suspended.
 */
export const patientAuctions = { SOLVE_TIME_MS: '10000', SUBMISSION_DEADLINE_SECONDS: '300' }

/** Setting of the quotes Worker: on a busy machine solvers may need longer, and a page would show and log the failure. */
export const patientQuotes = { QUOTE_TIMEOUT_MS: '20000' }

/**
 * A complete stack for one test file: free ports, a temporary folder that is removed afterwards, and a database
 * of `takeDatabase`. Every response at
 * its base URL is checked against `/openapi.json`; `stop` throws after a deviation.
 */
export const startTestStack = async (options: Partial<StackOptions> = {}): Promise<Stack> => {
  const stack = await startBareTestStack(options)
  const inspector = await inspectResponses(stack.info.baseUrl)
  return {
    ...stack,
    info: { ...stack.info, baseUrl: inspector.baseUrl },
    infos: stack.infos.map((info) => ({ ...info, baseUrl: inspector.baseUrl })),
    stop: async () => {
      await stack.stop()
      await inspector.close()
    },
  }
}

/**
 * The same without the checking proxy.
 * @param options.dir an empty folder instead of the temporary one; removed afterwards, too
 */
export const startBareTestStack = async (options: Partial<StackOptions> = {}): Promise<Stack> => {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'edgebook-')))
  await prepareFolder(dir, options.networks)
  // Tests read their own writes; edge.test.ts covers caching.
  // One account places the orders of most tests, without quotes; tests of bounds set their own.
  const unbounded = { MAX_LIMIT_ORDERS_PER_USER: '100000', MAX_OPEN_ORDERS_PER_USER: '100000' }
  const vars = {
    ...options.vars,
    gateway: { CACHE: 'off', ...options.vars?.gateway },
    orders: { ...unbounded, ...options.vars?.orders },
  }
  const database = await takeDatabase()
  const stack = await startStack({
    port: 0,
    rpcPort: 0,
    dbPort: 0,
    keepsData: false,
    database: database.backend,
    ...options,
    dir,
    vars,
  })
  return {
    ...stack,
    stop: async () => {
      await stack.stop()
      database.leave()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
