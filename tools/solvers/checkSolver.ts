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
 * @throws Error when nothing listens at the URL
 */
export const checkSolver = async (
  url: string,
  { rpcUrl, write }: { rpcUrl?: string | undefined; write: (line: string) => void },
): Promise<Finding[]> => {
  const base = url.replace(/\/+$/, '')
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

/** Whether it reads the body of an engine, whose tokens are an object; a driver needs a list. */
const findInterface = async (base: string): Promise<boolean> => {
  const body = JSON.stringify({
    ...{ id: null, tokens: {}, orders: [], liquidity: [], effectiveGasPrice: '1000000000' },
    ...{ deadline: new Date(Date.now() + timeoutMs).toISOString(), surplusCapturingJitOrderOwners: [] },
  })
  const headers = { 'Content-Type': 'application/json', 'X-Auction-Id': '0' }
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(`${base}/solve`, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
    throw new Error(`${base} does not respond: ${error instanceof Error ? error.message : error}`)
  })
  await response.text()
  return response.status === 200
}
