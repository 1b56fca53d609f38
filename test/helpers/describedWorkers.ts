import debug from '../../functions/debug/index.ts'
import orders from '../../functions/orders/index.ts'
import quotes from '../../functions/quotes/index.ts'

const modules = { quotes, orders, debug }

/** Settings that nothing stands behind: enough to have the routes, and to ask a Worker which ones it has. */
const settings = {
  NETWORK: 'sepolia',
  DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1/nowhere',
  RPC_URL: 'http://127.0.0.1:9',
  SOLVERS: '[]',
  AUCTIONS: { fetch: async () => new Response() },
}
const context = { waitUntil() {}, passThroughOnException() {}, props: {} }

/** The Workers with public routes, in this process, as the gateway finds them behind its bindings. */
export const describedWorkers = Object.fromEntries(
  Object.entries(modules).map(([group, { fetch }]) => [group, (request: Request) => fetch(request, settings, context)]),
)

/** Every route of their apps that the gateway would let through, `GET /api/v1/orders/:uid`. */
export const findWorkerRoutes = (): string[] => {
  const routes = Object.values(modules).flatMap(({ buildApp }) => buildApp(settings).routes)
  return [
    ...new Set(
      routes.filter(({ path }) => /^\/(restricted\/)?api\//.test(path)).map(({ method, path }) => `${method} ${path}`),
    ),
  ]
}
