import { expect, test } from 'vitest'
import { createGateway } from '../createGateway.ts'
import { respondOnPlatform } from './respondOnPlatform.ts'

const uid = `0x${'ab'.repeat(56)}`
const token = `0x${'ab'.repeat(20)}`

/** A gateway whose Workers respond with a given cache policy, behind a platform that records purges. */
const setUp = (cacheControl: string, headers: Record<string, string> = {}) => {
  const worker = async () => Response.json({}, { headers: { 'Cache-Control': cacheControl, ...headers } })
  const gateway = createGateway({
    workers: { sepolia: { orders: worker, debug: worker } },
    sharedWorkers: { tokens: worker },
    version: '1.2.3',
    log: () => undefined,
  })
  const requested: string[] = []
  const purged: string[] = []
  const work: Promise<unknown>[] = []
  const respond = (request: Request): Promise<Response> =>
    respondOnPlatform(gateway, request, {
      waitUntil: (promise) => void work.push(promise),
      exports: {
        default: {
          fetch: (again) => {
            requested.push(new URL(again.url).pathname + new URL(again.url).search)
            return respond(again)
          },
        },
      },
      cache: {
        purge: async ({ tags }) => {
          purged.push(...tags)
          return { success: true, errors: [] }
        },
      },
    })
  const send = (path: string, init?: RequestInit) => respond(new Request(`http://edgebook.test${path}`, init))
  const policyOf = (response: Response) => response.headers.get('Cloudflare-CDN-Cache-Control')
  return { send, requested, purged, policyOf }
}

test('a cacheable response is cached under its canonical URL, with its tags', async () => {
  const { send, requested, policyOf } = setUp('public, max-age=60, stale-while-revalidate=300')
  const response = await send(`/sepolia/api/v1/orders/${uid}`)
  expect(policyOf(response)).toBe('public, max-age=60, stale-while-revalidate=300, stale-if-error=0')
  expect(response.headers.get('Cache-Tag')).toBe(`order:${uid}`)
  expect(requested).toEqual([])
})

test('another spelling is served through the canonical URL, and not cached itself', async () => {
  const { send, requested, policyOf } = setUp('public, max-age=60, stale-if-error=600')
  const response = await send(`/sepolia/tokens/${token.toUpperCase().replace('0X', '0x')}/usdPrice/?x=1`)
  expect(requested).toEqual([`/11155111/tokens/${token}/usdPrice`])
  expect(policyOf(response)).toBe('no-store')
  expect(response.headers.get('X-Ignored-Fields')).toBe('x')
  expect(policyOf(await send(`/11155111/tokens/${token}/usdPrice`))).toBe('public, max-age=60, stale-if-error=600')
})

test.each([
  ['no-cache', `/sepolia/api/v1/orders/${uid}`],
  ['no-store', `/sepolia/api/v1/orders/${uid}`],
  ['public, max-age=60', `/sepolia/api/v1/debug/order/${uid}`],
  ['public, max-age=60', `/11155111/tokens/%30x${'ab'.repeat(20)}/usdPrice`],
])('%s of %s is not cached', async (cacheControl, path) => {
  const { send, requested, policyOf } = setUp(cacheControl)
  const response = await send(path)
  expect(policyOf(response)).toBe('no-store')
  expect(response.headers.get('Cache-Control')).toBe(cacheControl)
  expect(requested).toEqual([])
})

test('a response to a request with credentials is not cached', async () => {
  const { send, policyOf } = setUp('public, max-age=60')
  const response = await send(`/sepolia/api/v1/orders/${uid}`, { headers: { Authorization: 'Bearer x' } })
  expect(policyOf(response)).toBe('no-store')
})

test('tags in Cache-Purge are purged, and the header is removed', async () => {
  const { send, purged } = setUp('no-store', { 'Cache-Purge': `order:${uid}, order:0x12` })
  const response = await send(`/sepolia/api/v1/orders/${uid}`, { method: 'DELETE' })
  expect(purged).toEqual([`order:${uid}`, 'order:0x12'])
  expect(response.headers.has('Cache-Purge')).toBe(false)
})
