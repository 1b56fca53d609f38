import { expect, test } from 'vitest'
import { routes } from '#shared/api/routes.ts'
import { findWorkerRoutes } from '#tools/workers/describedWorkers.ts'
import { buildRoutes } from '../buildRoutes.ts'
import { findRoute, isMisread } from './findRoute.ts'

const uid = `0x${'ab'.repeat(56)}`
const account = `0x${'ab'.repeat(20)}`

test('the table has exactly the routes of the Workers and the gateway', () => {
  const localChains = { sepolia: 'http://127.0.0.1:9' }
  const own = buildRoutes({ workers: {}, version: '1', localChains }).routes
  const ownRoutes = own.flatMap(({ method, path }) =>
    method === 'ALL' ? [] : `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  )
  const listed = Object.values(routes).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(new Set(listed).size).toBe(listed.length)
  expect(listed.sort()).toEqual([...new Set([...ownRoutes, ...findWorkerRoutes()])].sort())
})

test('one Worker serves all methods of a path', () => {
  for (const { path, worker } of Object.values(routes)) expect(findRoute(path)).toMatchObject({ path, worker })
})

test.each([
  ['/sepolia/api/v1/quote', 'quotes'],
  ['/sepolia/api/v1/quote/', 'quotes'],
  ['/sepolia/api/v1/tokens', 'quotes'],
  ['/sepolia/api/v1/orders/by_uids', 'orders'],
  ['/sepolia/api/v1/orders/simulate', 'debug'],
  [`/sepolia/api/v1/orders/${uid}/simulate`, 'debug'],
  ['/sepolia/api/v1/orders/simulated', 'orders'],
  [`/sepolia/api/v1/orders/${uid}/events`, 'streams'],
  ['/goerli/api/v1/version', 'orders'],
  ['/sepolia/restricted/api/v2/solver_competition/7', 'debug'],
  ['/sepolia/api/v2/solver_competition/by_tx_hash/0xabc', 'debug'],
  ['/sepolia/status.json', 'status'],
  ['/status.json', 'gateway'],
  [`/accounts/${account}`, 'gateway'],
  [`/accounts/${account}/notifications`, 'accounts'],
  [`/sepolia/accounts/${account}/balances/sse`, 'accounts'],
  ['/tokens/1', 'gateway'],
  ['/mainnet/tokens/-/usdPrice', 'tokens'],
  ['/1/tokens/prices', 'tokens'],
  [`/1/markets/${account}-${account}/slippageTolerance`, 'markets'],
  [`/affiliate/${account}`, 'affiliate'],
  [`/affiliate/trader-stats/${account}`, 'affiliate'],
])('%s belongs to %s', (path, worker) => {
  expect(findRoute(path)?.worker).toBe(worker)
})

test.each([
  '/sepolia',
  '/sepolia/',
  '/sepolia/api',
  '/sepolia/readyz',
  '/sepolia/wake',
  '/sepolia/restricted/api/v3/x',
  '/sepolia//api/v1/version',
  '/sepolia/api/v1/quotes',
  '/sepolia/api/v1/order%73',
  '/sepolia/api/v1/ORDERS',
  '/api/v1/version',
  '/tokens/1/2',
  '/affiliate',
])('%s has no route', (path) => {
  expect(findRoute(path)).toBeUndefined()
})

test.each([
  ['/sepolia/api/v1/orders/by_uids', 'GET', true],
  ['/sepolia/api/v1/orders/by_uids', 'POST', false],
  // the Worker has no such path, whatever the method
  ['/sepolia/api/v1/orders/by_uids/', 'GET', false],
  [`/sepolia/api/v1/orders/${account}`, 'PUT', false],
])('%s is misread as another path by %s: %s', (path, method, is) => {
  expect(isMisread(path, method)).toBe(is)
})
