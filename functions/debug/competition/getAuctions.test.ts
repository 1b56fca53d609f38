import { expect, test } from 'vitest'
import type { NetworkAuction } from '#schema/queries/explorer/networkAuctions.ts'
import { getAuctions } from './getAuctions.ts'

const solver = `0x${'05'.repeat(20)}` as const
const transactionHash = `0x${'cc'.repeat(32)}` as const
const outcomes = ['success', 'mismatch', 'timeout', 'driver failed: reverted', null]
const auction = (id: number): NetworkAuction => ({
  ...{ id, block: id, deadlineBlock: id + 5, createdAt: '2026-11-01T10:00:00.000Z', orderCount: 4, solutionCount: 5 },
  winners: outcomes.map((outcome) => ({
    solver,
    score: '9',
    outcome,
    transactionHash: outcome ? transactionHash : null,
  })),
})

const get = async (query = '', hideBeforeDeadline = false) => {
  const asked: unknown[] = []
  const app = getAuctions({
    hideBeforeDeadline,
    selectNetworkAuctions: async (page) => {
      asked.push(page)
      return [9, 8, 7].slice(0, page.limit).map(auction)
    },
  })
  return { response: await app.request(`/api/v1/explorer/auctions${query}`), asked }
}

test('lists auctions with the status of each winner', async () => {
  const { response } = await get()
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=5')
  expect(response.headers.get('X-Next-Cursor')).toBeNull()
  const [first] = (await response.json()) as { id: number; orderCount: number; winners: { status: string }[] }[]
  expect(first).toMatchObject({ id: 9, orderCount: 4, solutionCount: 5 })
  expect(first?.winners.map(({ status }) => status)).toEqual([
    'settled',
    'mismatched',
    'timedOut',
    'reverted',
    'running',
  ])
  expect(first?.winners[0]).toEqual({ solver, score: '9', status: 'settled', txHash: transactionHash })
})

test('the last auction of a full page is the cursor of the next one', async () => {
  const { response, asked } = await get('?limit=2&cursor=10', true)
  expect(asked).toEqual([{ before: 10, limit: 3, onlyPast: true }])
  expect(await response.json()).toMatchObject([{ id: 9 }, { id: 8 }])
  expect(response.headers.get('X-Next-Cursor')).toBe('8')
})

test('a cursor that is no id is refused', async () => {
  expect((await get('?cursor=x')).response.status).toBe(400)
})
