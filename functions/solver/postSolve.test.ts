import { describe, expect, test } from 'vitest'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { createAuctionMemory } from './createAuctionMemory.ts'
import { postSolve } from './postSolve.ts'
import type { EncodedSolution } from './solutions/findSolutions.ts'

const solution = (score: bigint): EncodedSolution => ({
  batches: [],
  uniformPrices: new Map(),
  score,
  calldata: `0x${score.toString(16).padStart(2, '0')}`,
  accessList: [],
  draft: undefined,
  fallback: '0x',
  earlier: 0,
})

const solve = async (
  findSolutions: Parameters<typeof postSolve>[0]['findSolutions'],
  milliseconds = 60_000,
  changes: object = {},
) => {
  const app = postSolve({
    complete: createAuctionMemory().complete,
    findSolutions,
    remember: async (auctionId, calls) => calls.map(({ calldata }) => Number(auctionId) * 1000 + Number(calldata)),
    solver: '0x5000000000000000000000000000000000000001',
    now: Date.now,
  })
  const deadline = new Date(Date.now() + milliseconds).toISOString()
  const response = await app.request('/solve', {
    method: 'POST',
    body: JSON.stringify({ id: '7', tokens: [], orders: [], deadline, ...changes }),
  })
  return { status: response.status, body: await response.json() }
}

describe('postSolve', () => {
  test('proposes the best solution first, each with its stored id', async () => {
    const { body } = await solve(async (_, report) => {
      report(solution(1n))
      report(solution(3n))
      report(solution(2n))
    })
    expect(body).toMatchObject({
      solutions: [
        { solutionId: 7003, score: '3' },
        { solutionId: 7002, score: '2' },
        { solutionId: 7001, score: '1' },
      ],
    })
  })

  test('proposes orders whose settlement has failed last, whatever their score', async () => {
    const failed = { ...solution(9n), batches: [{ fills: [{ order: { settleAlone: true } }] }] } as never
    const { body } = await solve(async (_, report) => {
      report(failed)
      report(solution(1n))
      report(solution(2n))
    })
    expect((body as { solutions: { score: string }[] }).solutions.map(({ score }) => score)).toEqual(['2', '1', '9'])
  })

  test('proposes orders that it proposed in earlier auctions after new ones, those whose settlement has failed, too', async () => {
    const failed = { ...solution(1n), batches: [{ fills: [{ order: { settleAlone: true } }] }] } as never
    const { body } = await solve(async (_, report) => {
      report({ ...solution(9n), earlier: 2 })
      report({ ...solution(8n), earlier: 1 })
      report(failed)
      report(solution(2n))
    })
    expect((body as { solutions: { score: string }[] }).solutions.map(({ score }) => score)).toEqual([
      ...['2', '1', '8', '9'],
    ])
  })

  test('stores and proposes only as many solutions as count', async () => {
    const { body } = await solve(async (_, report) => {
      for (let score = 1n; score <= 12n; score += 1n) report(solution(score))
    })
    const scores = (body as { solutions: { score: string }[] }).solutions.map(({ score }) => Number(score))
    expect(scores).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  })

  test('responds with the solutions found before the deadline', async () => {
    const pending = solve((_, report) => {
      report(solution(5n))
      return new Promise(() => undefined)
    }, 500)
    const { body } = await settlesBefore(500, pending)
    expect(body).toMatchObject({ solutions: [{ solutionId: 7005 }] })
  })

  test('responds with the solutions found before the search failed', async () => {
    const { body } = await solve(async (_, report) => {
      report(solution(4n))
      throw new Error('the node is gone')
    })
    expect(body).toMatchObject({ solutions: [{ solutionId: 7004 }] })
  })

  test('responds 409 without the base of the changes', async () => {
    const { status, body } = await solve(async () => undefined, 60_000, {
      ...{ kind: 'delta', base: '6', updatedOrders: [], removedOrders: [] },
    })
    expect(status).toBe(409)
    expect(body).toEqual({ kind: 'UnknownBase', description: 'the base auction is not held' })
  })

  test('a failed search leaks no details', async () => {
    const broken = await solve(() => Promise.reject(new Error('http://user:password@node')))
    expect(broken.status).toBe(400)
    expect(broken.body).toEqual({ kind: 'Unknown', description: 'internal error of the solver' })
  })
})
