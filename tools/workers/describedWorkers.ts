import accounts from '../../functions/accounts/index.ts'
import affiliate from '../../functions/affiliate/index.ts'
import debug from '../../functions/debug/index.ts'
import markets from '../../functions/markets/index.ts'
import orders from '../../functions/orders/index.ts'
import quotes from '../../functions/quotes/index.ts'
import status from '../../functions/status/index.ts'
import streams from '../../functions/streams/index.ts'
import tokens from '../../functions/tokens/index.ts'

const modules = { quotes, orders, debug, status, streams }
const sharedModules = { accounts, affiliate, markets, tokens }

/** Placeholder settings: sufficient to build the routes and their descriptions. */
const settings = {
  NETWORK: 'sepolia',
  DATABASE_URL: 'postgres://user:password@127.0.0.1/none',
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

/** The Workers of a network with public routes, in this process, as the gateway's bindings. */
export const describedWorkers = connect(modules)

/** The shared Workers. */
export const describedSharedWorkers = connect(sharedModules)

/** Operational routes of a Worker, not public. */
const ownPaths = ['/healthz', '/readyz', '/openapi.json', '/asyncapi.json', '/executable-price', '/*']

/** Every public route of their apps: `GET /{network}/api/v1/orders/{uid}`. */
export const findWorkerRoutes = (): string[] => {
  const ofNetworks = listRoutes(modules).map(({ method, path }) => ({ method, path: `/{network}${path}` }))
  const routes = [...ofNetworks, ...listRoutes(sharedModules)]
  return [...new Set(routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`))]
}

const listRoutes = (described: Record<string, Pick<typeof debug, 'buildApp'>>) =>
  Object.values(described).flatMap(({ buildApp }) =>
    buildApp(settings).routes.filter(({ path }) => !ownPaths.includes(path)),
  )
