import { describe, expect, test } from 'vitest'
import { nativeSentinel } from '#shared/networks.ts'
import { findCacheKey } from './findCacheKey.ts'

const find = (path: string) => findCacheKey(new URL(path, 'http://edgebook.test'))
const lower = `0x${'ab'.repeat(20)}`
const mixed = `0x${'aB'.repeat(20)}`
const uid = `0x${'cd'.repeat(56)}`
const hash = `0x${'ef'.repeat(32)}`

describe('all spellings share one key', () => {
  test.each([
    [
      `/11155111/tokens/${lower}/usdPrice`,
      [`/sepolia/tokens/${mixed}/usdPrice/`, `/11155111/tokens/${lower}/usdPrice?cachebuster=1`],
    ],
    [`/100/tokens/-/topHolders`, ['/gnosis/tokens/-/topHolders', `/xdai/tokens/${nativeSentinel}/topHolders`]],
    [
      `/1/markets/--${lower}/slippageTolerance`,
      [`/mainnet/markets/${nativeSentinel}-${mixed}/slippageTolerance`, `/1/markets/--${mixed}/slippageTolerance`],
    ],
    [
      `/1/markets/--${lower}/slippageTolerance?feeAmount=2&sellAmount=5`,
      [
        `/1/markets/--${mixed}/slippageTolerance?sellAmount=5&feeAmount=2`,
        `/1/markets/--${mixed}/slippageTolerance?sellAmount=5&x=1&feeAmount=2`,
      ],
    ],
    [
      `/1/markets/${lower}--/volatilityDetails`,
      [`/1/markets/${mixed}-${nativeSentinel.toUpperCase().replace('0X', '0x')}/volatilityDetails`],
    ],
    [
      `/xdai/api/v1/orders/${uid}`,
      [
        `/100/api/v1/orders/${uid.toUpperCase().replace('0X', '0x')}`,
        `/gnosis/api/v1/orders/${uid}/`,
        `/gnosis/api/v1/orders/${uid.slice(2).toUpperCase()}`,
      ],
    ],
    [`/xdai/api/v1/app_data/${hash}`, [`/gnosis/api/v1/app_data/${hash.slice(2)}`]],
    [`/xdai/api/v1/token/${lower}/native_price`, [`/gnosis/api/v1/token/${mixed}/native_price`]],
    [
      `/gnosis/api/v1/explorer/trades?owner=${lower}&pair=${lower}-${lower}`,
      [`/100/api/v1/explorer/trades?pair=${mixed}-${lower}&owner=${mixed}`],
    ],
    ['/gnosis/api/v1/tokens', ['/100/api/v1/tokens/', '/xdai/api/v1/tokens?cachebuster=1']],
    [
      `/accounts/${lower}/notifications?before=7&type=trade`,
      [
        `/accounts/${mixed}/notifications?type=trade&x=1&before=7`,
        `/accounts/${lower}/notifications/?type=trade&before=7`,
      ],
    ],
  ])('%s', (url, spellings) => {
    for (const spelling of [url, ...spellings]) expect(find(spelling)?.url).toBe(find(url)?.url)
    expect(find(find(url)?.url ?? '')?.url).toBe(find(url)?.url)
  })

  test('other tokens, networks and pages have other keys', () => {
    const urls = [
      `/1/tokens/${lower}/usdPrice`,
      `/100/tokens/${lower}/usdPrice`,
      `/1/tokens/-/usdPrice`,
      `/1/tokens/${lower}/details`,
      `/1/markets/${lower}--/slippageTolerance`,
      `/1/markets/--${lower}/slippageTolerance`,
      `/1/markets/--${lower}/slippageTolerance?sellAmount=1`,
      `/1/markets/--${lower}/slippageTolerance?sellAmount=2`,
      `/1/markets/--${lower}/slippageTolerance?buyAmount=1`,
      `/accounts/${lower}/notifications`,
      `/accounts/${lower}/notifications?before=1`,
      `/accounts/${lower}/notifications?before=2`,
      `/sepolia/api/v1/orders/${uid}/status`,
      `/sepolia/api/v1/orders/${uid}`,
    ]
    expect(new Set(urls.map((url) => find(url)?.url)).size).toBe(urls.length)
  })
})

test.each([
  '/',
  '/nowhere',
  '/healthz',
  '/status',
  '/assets/index-12345678.js',
  `/accounts/${lower}`,
  `/goerli/tokens/${lower}/usdPrice`,
  '/1/tokens/0x12/usdPrice',
  `/1/tokens/${lower}/balances`,
  `/sepolia/api/v1/debug/order/${uid}`,
  `/sepolia/api/v1/account/${lower}/orders`,
  '/sepolia/api/v1/solver_competition/latest',
  `/sepolia/restricted/api/v2/solver_competition/7`,
  `/1/tokens/%30x${lower.slice(2)}/usdPrice`,
  `/1/accounts/${lower}/balances`,
  `/accounts/${lower}/notifications?network=${'x'.repeat(512)}`,
])('%s is not cacheable', (path) => {
  expect(find(path)).toBeUndefined()
})

test('the tags name the order or the account', () => {
  expect(find(`/sepolia/api/v1/orders/${uid}/status`)?.tags).toEqual([`order:${uid}`])
  expect(find(`/accounts/${mixed}/notifications`)?.tags).toEqual([`account:${lower}`])
  expect(find(`/sepolia/api/v1/app_data/${hash}`)?.tags).toEqual([])
})
