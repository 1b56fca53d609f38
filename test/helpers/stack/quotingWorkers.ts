import { AsyncLocalStorage } from 'node:async_hooks'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import debug from '../../../functions/debug/index.ts'
import orders from '../../../functions/orders/index.ts'
import quotes from '../../../functions/quotes/index.ts'
import solver from '../../../functions/solver/index.ts'
import type { TestDatabase } from '../database/testDatabase.ts'
import type { SolverMarket } from '../solvers/solverMarket.ts'

/** Runs work outside of every request: Workers of the platform share no connections with those that call them. */
const runOutside = AsyncLocalStorage.snapshot()

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

export type Reply<Body = never> = { status: number; headers: Headers; body: Body }

/** Workers of one network in one process: quotes, orders and debug on a real chain, with the reference solver. */
export type QuotingWorkers = Record<
  'quotes' | 'debug' | 'orders',
  <Body = never>(path: string, body?: object) => Promise<Reply<Body>>
>

/**
 * Connects the Workers as the platform does: settings as text, service bindings as `fetch`. No auction runs.
 * @param supports what the solver is said to support
 */
export const connectQuotingWorkers = (
  { rpcUrl, solver: account }: SolverMarket,
  { databaseUrl }: TestDatabase,
  { supports = [] as string[] } = {},
): QuotingWorkers => {
  const shared = { NETWORK: 'sepolia', RPC_URL: rpcUrl, DATABASE_URL: databaseUrl }
  const solverEnv = {
    ...shared,
    SOLVER_NAME: 'reference',
    SOLVER_STRATEGY: 'multihop',
    SOLVER_PRIVATE_KEY: devAccounts[8].privateKey,
    SETTLEMENTS: {},
  }
  const entry = { name: 'reference', address: account.address.toLowerCase(), binding: 'REFERENCE', supports }
  const REFERENCE = { fetch: (request: Request) => runOutside(() => solver.fetch(request, solverEnv, context)) }
  const env = { ...shared, SOLVERS: JSON.stringify([entry]), REFERENCE, VERSION: 'test' }
  const QUOTES = { fetch: (request: Request) => runOutside(() => quotes.fetch(request, env, context)) }
  const AUCTIONS = { fetch: async () => new Response() }
  const debugEnv = { ...env, QUOTES }
  const ordersEnv = { ...env, AUCTIONS }
  const call =
    ({ fetch }: typeof quotes, settings: object) =>
    async <Body>(path: string, body?: object): Promise<Reply<Body>> => {
      const init = body && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
      }
      const response = await fetch(new Request(`http://worker/api/v1/${path}`, init), settings, context)
      return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
    }
  return { quotes: call(quotes, env), debug: call(debug, debugEnv), orders: call(orders, ordersEnv) }
}
