import { expect, test } from 'vitest'
import { routeToRateLimit } from './routeToRateLimit.ts'

test.each([
  ['POST', '/sepolia/api/v1/quote', 'quotes'],
  ['POST', '/1/api/v1/quote/stream', 'quotes'],
  ['GET', '/sepolia/api/v1/token/0x12/native_price', 'quotes'],
  ['POST', '/sepolia/api/v1/orders/simulate', 'quotes'],
  ['POST', '/sepolia/restricted/api/v1/debug/simulation', 'quotes'],
  ['GET', '/sepolia/restricted/api/v1/debug/simulation/0x12', 'quotes'],
  ['POST', '/1/simulation/simulateBundle', 'quotes'],
  ['POST', '/sepolia/api/v1/orders', 'submissions'],
  ['POST', '/nowhere/api/v1/order%73', 'submissions'],
  ['DELETE', '/sepolia/api/v1/orders', 'submissions'],
  ['DELETE', '/sepolia/api/v1/orders/0x12', 'submissions'],
  ['PUT', '/sepolia/api/v1/app_data', 'submissions'],
  ['PUT', '/sepolia/api/v1/app_data/0x12', 'submissions'],
  ['POST', '/affiliate/0x12', 'submissions'],
  ['POST', '/accounts/0x12/subscriptions', 'submissions'],
  ['DELETE', '/accounts/0x12/subscriptions/7', 'submissions'],
  ['POST', '/subscriptions/confirm/12', 'submissions'],
  ['POST', '/telegram/webhook', 'reads'],
  ['GET', '/accounts/0x12/subscriptions', 'reads'],
  ['POST', '/sepolia/api/v1/orders/by_uids', 'reads'],
  ['POST', '/1/tokens/prices', 'reads'],
  ['POST', '/1/yield/pools', 'reads'],
  ['GET', '/sepolia/api/v1/orders/0x12', 'reads'],
  ['HEAD', '/sepolia/api/v1/orders/0x12', 'reads'],
  ['GET', '/sepolia/api/v1/debug/order/0x12', 'reads'],
  ['GET', '/accounts/0x12/notifications', 'reads'],
  ['GET', '/', 'reads'],
  ['GET', '/readyz', 'reads'],
  ['POST', '/nowhere', 'reads'],
])('%s %s counts towards %s', (method, path, limit) => {
  expect(routeToRateLimit(method, path)).toBe(limit)
})
