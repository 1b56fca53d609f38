import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type BadSolver, type Misbehaviour, startBadSolver } from '../helpers/solvers/badSolver.ts'
import { patientAuctions, patientQuotes, startTestStack } from '../helpers/stack/testStack.ts'

const misbehaviours: Misbehaviour[] = ['garbage', 'huge', 'late', 'never', 'lies']
const example = join(import.meta.dirname, '../../examples/solver.ts')
const { address, privateKey } = devAccounts[5]
let exampleSolver: ChildProcess
let stack: Stack
let trader: Trader
let badSolvers: BadSolver[]

beforeAll(async () => {
  badSolvers = await Promise.all(misbehaviours.map(startBadSolver))
  const [port, rpcPort] = [await findPort(0, 'PORT'), await findPort(0, 'RPC_PORT')]
  exampleSolver = spawn(process.execPath, [example], {
    env: { PORT: `${port}`, RPC_URL: `http://127.0.0.1:${rpcPort}`, SOLVER_PRIVATE_KEY: privateKey },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const bad = badSolvers.map(({ url }, i) => ({
    name: misbehaviours[i] ?? '',
    address: `0x${String(i + 1).repeat(40)}` as const,
    url,
    // solvers of the stack have longer, and no auction or quote waits for these ones
    timeoutMs: 2_000,
  }))
  stack = await startTestStack({
    rpcPort,
    extraSolvers: [...bad, { name: 'example', address, url: `http://127.0.0.1:${port}` }],
    vars: { auctions: patientAuctions, quotes: patientQuotes },
  })
  const isUp = async () => (await fetch(`http://127.0.0.1:${port}/`)).status > 0
  await waitUntil('the example solver listens', isUp, { timeoutMs: patienceMs })
  trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
})

afterAll(async () => {
  for (const solver of badSolvers ?? []) solver.close()
  await stack?.stop()
  if (exampleSolver?.kill()) await once(exampleSolver, 'exit')
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

test('the example solver of docs/solvers.md wins an auction and settles it from its own tokens', async () => {
  const [sellToken, buyToken] = [stack.info.tokens.WETH, stack.info.tokens.USDC]
  if (!sellToken || !buyToken) throw new Error('tokens missing')
  const stock = parseUnits('100000', buyToken.decimals)
  const stockUp = { abi: erc20Abi, functionName: 'transfer', args: [address, stock] } as const
  await sendFrom(stack.chain, devAccounts[7].address, { to: buyToken.address, data: encodeFunctionData(stockUp) })
  // without this it approves at its first order and proposes from the next auction on
  const approve = {
    abi: erc20Abi,
    functionName: 'approve',
    args: [stack.info.contracts.settlement, maxUint256],
  } as const
  await sendFrom(stack.chain, address, { to: buyToken.address, data: encodeFunctionData(approve) })
  await trader.approveRelayer(sellToken.address)
  const amount = parseUnits('0.5', 18)
  const uid = await postSwap(trader, { kind: 'sell', sellToken, buyToken, amount })
  await waitForStatus(trader, uid, 'fulfilled')

  const report = await findDebugReport(stack.info, uid)
  const auction = report.auctions.find(({ settlementAttempts }) => settlementAttempts.length > 0)
  expect(auction?.proposedSolutions.find(({ isWinner }) => isWinner)).toMatchObject({ solver: address, ranking: 1 })
  expect(auction?.settlementAttempts).toMatchObject([{ solver: address, outcome: 'success' }])
  const holdings = [sellToken, buyToken].map((token) =>
    trader.chain.readContract({ address: token.address, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
  )
  expect(await Promise.all(holdings)).toEqual([amount, stock - BigInt(report.trades[0]?.buyAmount ?? 0)])
})
