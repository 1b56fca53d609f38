import { expect, test } from 'vitest'
import { findSharedGroup } from './findSharedGroup.ts'
import { routeToWorker } from './routeToWorker.ts'

const account = `0x${'ab'.repeat(20)}`

test.each([
  [`/1/tokens/${account}/usdPrice`, 'tokens'],
  ['/mainnet/tokens/-/usdPrice', 'tokens'],
  [`/100/tokens/${account}/topHolders`, 'tokens'],
  ['/1/tokens/prices', 'tokens'],
  [`/1/markets/${account}-${account}/slippageTolerance`, 'markets'],
  ['/1/yield/pools', 'markets'],
  ['/sepolia/simulation/simulateBundle', 'markets'],
  [`/accounts/${account}/notifications`, 'accounts'],
  [`/accounts/${account}/subscriptions`, 'accounts'],
  ['/notifications/channels', 'accounts'],
  ['/subscriptions/confirm/dG9rZW4', 'accounts'],
  ['/telegram/webhook', 'accounts'],
  [`/sepolia/accounts/${account}/balances/sse`, 'accounts'],
  [`/affiliate/${account}`, 'affiliate'],
  [`/affiliate/trader-stats/${account}`, 'affiliate'],
  ['/ref-codes/FRIENDS', 'affiliate'],
])('%s belongs to %s and to no Worker of one network', (path, group) => {
  expect(findSharedGroup(path)).toBe(group)
  expect(routeToWorker(path)).toBeUndefined()
})

test.each([
  '/',
  `/accounts/${account}`,
  `/orders/${account}`,
  '/sepolia/api/v1/version',
  '/tokens/1',
  '/sepolia/tokens',
  '/affiliate',
  '/sepolia/api/v1/tokens/x',
])('%s belongs to none', (path) => {
  expect(findSharedGroup(path)).toBeUndefined()
})
