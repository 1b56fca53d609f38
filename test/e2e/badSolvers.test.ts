import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { type BadSolver, type Misbehaviour, startBadSolver } from '../helpers/solvers/badSolver.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

const misbehaviours: Misbehaviour[] = ['garbage', 'huge', 'late', 'never', 'lies']
let stack: Stack
let trader: Trader
let badSolvers: BadSolver[]

beforeAll(async () => {
  badSolvers = await Promise.all(misbehaviours.map(startBadSolver))
  stack = await startTestStack({
    extraSolvers: badSolvers.map(({ url }, i) => ({
      name: misbehaviours[i] ?? '',
      address: `0x${String(i + 1).repeat(40)}`,
      url,
    })),
    vars: { quotes: { QUOTE_TIMEOUT_MS: '1500' } },
  })
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
})

afterAll(async () => {
  for (const solver of badSolvers ?? []) solver.close()
  await stack?.stop()
})

test('solvers with invalid, endless, late, missing or false responses exclude only themselves from the auction', async () => {
  const [sellToken, buyToken] = [stack.info.tokens.WETH, stack.info.tokens.USDC]
  if (!sellToken || !buyToken) throw new Error('tokens missing')
  await trader.approveRelayer(sellToken.address)
  const before = await readBalances(trader, sellToken.address, buyToken.address)
  const uid = await postSwap(trader, { kind: 'sell', sellToken, buyToken, amount: parseUnits('0.5', 18) })
  await waitForStatus(trader, uid, 'fulfilled')
  const after = await readBalances(trader, sellToken.address, buyToken.address)
  await expectAgreement(stack.info, trader, uid, before, after)

  const report = await findDebugReport(stack.info, uid)
  const proposers = report.auctions.flatMap((auction) => auction.proposedSolutions.map(({ solver }) => solver))
  const honest = ['direct', 'multihop'].map(
    (name) => stack.info.solvers.find((solver) => solver.name === name)?.address,
  )
  expect(new Set(proposers)).toEqual(new Set(honest.map((address) => address?.toLowerCase())))
  for (const solver of badSolvers) expect(solver.asked).toEqual(expect.arrayContaining(['/quote', '/solve']))
})
