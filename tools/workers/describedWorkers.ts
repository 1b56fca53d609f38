import accounts from '../../functions/accounts/index.ts'
import affiliate from '../../functions/affiliate/index.ts'
import debug from '../../functions/debug/index.ts'
import { findSharedGroup } from '../../functions/gateway/findSharedGroup.ts'
import { routeToWorker } from '../../functions/gateway/routeToWorker.ts'
import markets from '../../functions/markets/index.ts'
import orders from '../../functions/orders/index.ts'
import quotes from '../../functions/quotes/index.ts'
import status from '../../functions/status/index.ts'
import streams from '../../functions/streams/index.ts'
import tokens from '../../functions/tokens/index.ts'

const modules = { quotes, orders, debug, status, streams }
const sharedModules = { accounts, affiliate, markets, tokens }

/** Settings that nothing stands behind: enough to have the routes, and to ask a Worker which ones it has. */
const settings = {
  NETWORK: 'sepolia',
  DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1/nowhere',
  RPC_URL: 'http://127.0.0.1:9',
  MAINNET_RPC_URL: 'http://127.0.0.1:9',
  RPC_URLS: '{"sepolia":"http://127.0.0.1:9"}',
  SOLVERS: '[]',
  PRICES: {},
  HOLDERS: {},
  TOKENS: {},
  SAMPLERS: {},
  COLLECTORS: {},
  WATCHES: {},
  SLOTS: {},
  FEEDS: {},
  AUCTIONS: { fetch: async () => new Response() },
}
const context = { waitUntil() {}, passThroughOnException() {}, props: {} }

const connect = (described: Record<string, Pick<typeof debug, 'fetch'>>) =>
  Object.fromEntries(
    Object.entries(described).map(([group, { fetch }]) => [
      group,
      (request: Request) => fetch(request, settings, context),
    ]),
  )

/** The Workers of a network with public routes, in this process, as the gateway finds them behind its bindings. */
export const describedWorkers = connect(modules)

/** The same for those that run once. */
export const describedSharedWorkers = connect(sharedModules)

/** Every route of their apps that the gateway lets through, `GET /{network}/api/v1/orders/{uid}`. */
export const findWorkerRoutes = (): string[] => {
  const ofNetworks = listRoutes(modules).filter(({ path }) => routeToWorker(`/mainnet${path}`) !== undefined)
  const shared = listRoutes(sharedModules).filter(({ path }) => findSharedGroup(path) !== undefined)
  const routes = [...ofNetworks.map(({ method, path }) => ({ method, path: `/{network}${path}` })), ...shared]
  return [...new Set(routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`))]
}

const listRoutes = (described: Record<string, Pick<typeof debug, 'buildApp'>>) =>
  Object.values(described).flatMap(({ buildApp }) => buildApp(settings).routes)
