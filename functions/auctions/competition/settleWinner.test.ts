import { expect, test } from 'vitest'
import type { SolutionId } from '#shared/solvers/driverApi.ts'
import { type SettleDeps, settleWinner } from './settleWinner.ts'

const address = `0x${'5a'.repeat(20)}` as const

test.each<[SolutionId, string]>([
  [7, '7'],
  [2n ** 64n - 1n, '18446744073709551615'],
  ['18446744073709551615', '"18446744073709551615"'],
])('requests the settlement of solution %s with the id as its driver wrote it', async (solutionId, text) => {
  const bodies: string[] = []
  const fetch = async (request: Request) => {
    bodies.push(await request.text())
    return new Response('{}')
  }
  const deps = { solvers: [{ name: 'first', address, baseUrl: 'https://first.example', fetch }], log: () => undefined }
  const attempt = {
    solver: address,
    solutionId,
    solutionUid: 0,
    auctionId: 4,
    deadlineBlock: 9,
    pairs: new Set<string>(),
  }
  await settleWinner(deps as unknown as SettleDeps, attempt)
  expect(bodies).toEqual([`{"solutionId":${text},"submissionDeadlineLatestBlock":9,"auctionId":"4"}`])
})
