import { zeroAddress } from 'viem'
import { requestSolver, SolverError } from '#shared/solvers/requestSolver.ts'
import { connectSolvers, type Solver, solverUrlSchema } from '#shared/solvers/solverList.ts'
import { engineResponseSchema } from '../../functions/solver/engine/engineApi.ts'
import { checkDriver } from './checkDriver.ts'
import { checkEngine } from './checkEngine.ts'
import { openMarket } from './openMarket.ts'
import { createReport, type Finding } from './report.ts'

const timeoutMs = 5_000

/**
 * Checks an engine or a driver at a URL: quotes, auctions with every kind of order, a settlement, notifications,
 * malformed and late requests.
 * @param rpcUrl node of the local chain that a driver uses; without it a new chain is started
 * @param write receives each finding as a line
 * @throws Error when no engine and no driver listens at the URL
 */
export const checkSolver = async (
  url: string,
  { rpcUrl, write }: { rpcUrl?: string | undefined; write: (line: string) => void },
): Promise<Finding[]> => {
  const { data: base, error } = solverUrlSchema.safeParse(url)
  if (base === undefined) throw new Error(`${url} is not ${error?.issues[0]?.message}`)
  const isEngine = await findInterface(base)
  write(`${base} is ${isEngine ? 'an engine' : 'a driver'}`)
  const report = createReport(write)
  const market = await openMarket(rpcUrl)
  try {
    if (isEngine) await checkEngine(base, market, report)
    else await checkDriver(base, market, report, rpcUrl !== undefined)
  } finally {
    await market.stop()
  }
  return report.findings
}

/**
 * Whether it reads the body of an engine, whose tokens are an object; a driver needs a list.
 * @throws Error when it is neither
 */
const findInterface = async (base: string): Promise<boolean> => {
  const [solver] = connectSolvers([{ name: 'checked', address: zeroAddress, url: base }], {}) as [Solver]
  const body = {
    ...{ id: null, tokens: {}, orders: [], liquidity: [], effectiveGasPrice: '1000000000' },
    ...{ deadline: new Date(Date.now() + timeoutMs).toISOString(), surplusCapturingJitOrderOwners: [] },
  }
  const call = { method: 'POST', path: '/solve', body, headers: { 'X-Auction-Id': '0' }, timeoutMs } as const
  try {
    await requestSolver(solver, call, engineResponseSchema)
    return true
  } catch (error) {
    if (!(error instanceof SolverError)) throw error
    // a driver refuses the body
    if (error.status !== undefined && error.status >= 400) return false
    throw new Error(`${base} is neither an engine nor a driver: POST solve: ${error.kind}: ${error.message}`)
  }
}
