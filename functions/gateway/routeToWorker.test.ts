import { expect, test } from 'vitest'
import { routeToWorker } from './routeToWorker.ts'

const uid = `0x${'ab'.repeat(56)}`

test.each([
  ['/api/v1/quote', 'quotes'],
  ['/api/v1/quote/stream', 'quotes'],
  ['/api/v1/quotes', 'orders'],
  ['/api/v1/token/0xabc/native_price', 'quotes'],
  ['/api/v1/tokens', 'quotes'],
  ['/api/v1/tokens/x', 'orders'],
  ['/api/v1/orders', 'orders'],
  [`/api/v1/orders/${uid}/status`, 'orders'],
  ['/api/v1/account/0xabc/orders', 'orders'],
  ['/api/v2/trades', 'orders'],
  ['/api/v1/app_data/0xabc', 'orders'],
  ['/api/v1/version', 'orders'],
  ['/api/v1/auctions', 'orders'],
  [`/api/v1/debug/order/${uid}`, 'debug'],
  [`/restricted/api/v1/debug/order/${uid}`, 'debug'],
  ['/restricted/api/v2/solver_competition/7', 'debug'],
  ['/api/v1/solver_competition/latest', 'debug'],
  ['/api/v2/solver_competition/by_tx_hash/0xabc', 'debug'],
  ['/api/v1/auction', 'debug'],
  ['/api/v1/orders/simulate', 'debug'],
  [`/api/v1/orders/${uid}/simulate`, 'debug'],
  [`/api/v1/orders/${uid}/events`, 'streams'],
  ['/api/v1/account/0xabc/orders/events', 'streams'],
  ['/api/v1/orders/simulated', 'orders'],
])('%s belongs to %s and loses only its network segment', (path, group) => {
  const route = routeToWorker(`/sepolia${path}`)
  expect(route).toMatchObject({ group, path })
  expect(route?.network?.chainId).toBe(11_155_111)
})

test.each([
  ['gnosis', 100],
  ['xdai', 100],
  ['100', 100],
  ['1', 1],
  ['mainnet', 1],
  ['arbitrum_one', 42_161],
  ['base', 8_453],
  ['11155111', 11_155_111],
])('the segment %s is chain %i', (segment, chainId) => {
  expect(routeToWorker(`/${segment}/api/v1/version`)?.network?.chainId).toBe(chainId)
})

test.each(['/goerli/api/v1/version', '/0/api/v1/version', '/constructor/api/v1/version'])(
  '%s is a route of an unknown network',
  (pathname) => {
    expect(routeToWorker(pathname)).toMatchObject({ group: 'orders', network: undefined })
  },
)

test.each([
  '/',
  '/sepolia',
  '/sepolia/',
  '/sepolia/api',
  '/sepolia/readyz',
  '/sepolia/wake',
  '/sepolia/restricted/api/v3/x',
  '/sepolia//api/v1/version',
  '/api/v1/version',
])('%s has no Worker', (pathname) => {
  expect(routeToWorker(pathname)).toBeUndefined()
})
