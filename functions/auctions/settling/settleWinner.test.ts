import { afterAll, beforeAll, expect, test } from 'vitest'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import type { SolutionId } from '#shared/solvers/driverApi.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type SettleDeps, settleWinner } from './settleWinner.ts'

const address = `0x${'5a'.repeat(20)}` as const
let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await startTestDatabase()
})
afterAll(() => testDatabase?.close())

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
    startBlock: 3,
    deadlineBlock: 9,
    calldata: undefined,
    orders: [],
  }
  await settleWinner(deps as unknown as SettleDeps, attempt)
  expect(bodies).toEqual([`{"solutionId":${text},"submissionDeadlineLatestBlock":9,"auctionId":"4"}`])
})

/** The contract of an order chooses the text with which its settlement reverts, and drivers pass it on. */
test.each([
  ['a NUL character', 'FailedToSubmit', 'execution reverted: \0', 'FailedToSubmit'],
  ['a megabyte', 'FailedToSubmit', 'w'.repeat(1_000_000), 'FailedToSubmit'],
  ['an address with a key', 'Http', 'https://node.example/key does not respond', 'SolverFailed'],
  ['a kind of its own', 'see https://evil.example\0', 'reverted', 'SolverFailed'],
])(
  'the failure that a solver reports with %s is published by its kind alone',
  async (_what, kind, description, cause) => {
    const { database } = testDatabase
    const chainId = 100
    await database.delete(settlementAttempts)
    await database
      .insert(settlementAttempts)
      .values({ chainId, auctionId: 4, solutionUid: 0, solver: address, startBlock: 3, deadlineBlock: 9 })
    const blame = { party: 'none', orders: [], reason: 'unknown' } as const
    const fetch = async () => Response.json({ kind, description }, { status: 400 })
    const deps = {
      network: { chainId },
      database,
      chain: { getBlockNumber: async () => 5n },
      solvers: [{ name: 'first', address, baseUrl: 'https://first.example', fetch }],
      log: () => undefined,
      findBlame: async () => blame,
    }
    const attempt = {
      solver: address,
      solutionId: 7,
      solutionUid: 0,
      auctionId: 4,
      startBlock: 3,
      deadlineBlock: 9,
      calldata: undefined,
      orders: [],
    }
    await settleWinner(deps as unknown as SettleDeps, attempt)
    const [ended] = await database.select().from(settlementAttempts)
    expect(ended).toMatchObject({ endBlock: 5, outcome: `driver failed: ${cause}`, blame })
  },
)
