import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, maxUint256, parseEther } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { answering, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { checkSolver } from '#tools/solvers/checkSolver.ts'
import type { Finding } from '#tools/solvers/report.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'

const children: ChildProcess[] = []

afterAll(async () => {
  for (const child of children) if (child.kill()) await once(child, 'exit')
})

/** Starts a file of examples/. @returns its URL */
const startExample = async (file: string, env: Record<string, string> = {}): Promise<string> => {
  const port = await findPort(0, 'PORT')
  const path = join(import.meta.dirname, '../../examples', file)
  children.push(spawn(process.execPath, [path], { env: { PORT: String(port), ...env }, stdio: 'ignore' }))
  const url = `http://127.0.0.1:${port}`
  const isUp = async () => (await fetch(`${url}/notify`, { method: 'POST', body: '{}' })).status > 0
  await waitUntil(`${file} listens`, isUp, { timeoutMs: 60_000 })
  return url
}

const write = () => undefined
const listFaults = (findings: readonly Finding[]) => findings.filter(({ kind }) => kind === 'fault')
const listPassed = (findings: readonly Finding[]) =>
  findings.filter(({ kind }) => kind === 'ok').map(({ what }) => what)

test('the example engine passes, and settles every kind of order', async () => {
  const findings = await checkSolver(await startExample('engine.ts'), { write })
  expect(listFaults(findings)).toEqual([])
  expect(listPassed(findings)).toEqual(
    expect.arrayContaining([
      ...['quote of a sell', 'quote of a buy', 'a sell order', 'a buy order', 'a partially fillable order'],
      ...['an order for the native token', 'an order with a protocol fee', 'an order with hooks', 'a pre-signed order'],
      ...['an order with fees on surplus and price improvement', 'all orders together', 'a settlement'],
    ]),
  )
})

test('the example driver passes, and settles a sell order', async () => {
  const market = await startSolverMarket()
  try {
    const { address, privateKey } = devAccounts[5]
    const { WETH } = market.tokens
    const env = { RPC_URL: market.rpcUrl, SOLVER_PRIVATE_KEY: privateKey }
    const wrap = { to: WETH, value: parseEther('10'), data: '0xd0e30db0' } as const
    await market.chain.sendTransaction({ account: address, ...wrap })
    const approve = {
      abi: erc20Abi,
      functionName: 'approve',
      args: [market.network.settlementContract, maxUint256],
    } as const
    await sendFrom(market.chain, address, { to: WETH, data: encodeFunctionData(approve) })
    const findings = await checkSolver(await startExample('solver.ts', env), { rpcUrl: market.rpcUrl, write })
    expect(listFaults(findings)).toEqual([])
    expect(listPassed(findings)).toEqual(expect.arrayContaining(['a sell order', 'its calldata', 'a settlement']))
  } finally {
    await market.stop()
  }
})

test('the faults of an engine are named', async () => {
  const engine = await startSolver('engine', answering({ solutions: [{ id: 1 }, { id: 2, prices: {}, trades: [] }] }))
  const lines: string[] = []
  const findings = await checkSolver(engine.solver.baseUrl, { write: (line) => lines.push(line) })
  await engine.stop()
  const details = listFaults(findings).map(({ detail }) => detail)
  expect(details).toEqual(expect.arrayContaining([expect.stringContaining('deserializationError'), 'emptySolution']))
  expect(lines).toContain(`✗ a sell order: emptySolution`)
})

test.each<[string, RequestListener, string]>([
  [
    'a web page',
    answering('<html></html>'),
    'neither an engine nor a driver: POST solve: Garbage: status 200, body is not JSON',
  ],
  ['a redirect', answering('', 307), 'redirects are not followed'],
])('%s is named', async (_, listener, reason) => {
  const { solver, stop } = await startSolver('other', listener)
  await expect(checkSolver(solver.baseUrl, { write })).rejects.toThrow(reason)
  await stop()
})

test.each([
  ['http://user:secret@127.0.0.1:7071', 'without credentials'],
  ['http://127.0.0.1:7071?key=1', 'query'],
  ['127.0.0.1:7071', 'an http or https URL'],
])('%s is refused', async (url, reason) => {
  await expect(checkSolver(url, { write })).rejects.toThrow(reason)
})
