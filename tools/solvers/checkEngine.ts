import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { describeError } from '#shared/http/describeError.ts'
import { DriverError } from '../../functions/solver/DriverError.ts'
import { connectEngine, type Engine } from '../../functions/solver/engine/connectEngine.ts'
import type { EngineAuctionBody, EngineNotice } from '../../functions/solver/engine/engineApi.ts'
import { findEngineQuote } from '../../functions/solver/engine/findEngineQuote.ts'
import { type EncodedEngineSolution, findEngineSolutions } from '../../functions/solver/engine/findEngineSolutions.ts'
import { createBlockMemory } from '../../functions/solver/pools/createBlockMemory.ts'
import { createQuoteMarket } from '../../functions/solver/pools/createQuoteMarket.ts'
import { waitForReceipt } from '../stack/chain/waitForReceipt.ts'
import type { CheckMarket } from './openMarket.ts'
import { probeAccepted, probeNotice, probeRefusal } from './probe.ts'
import type { Report } from './report.ts'

/** time of an auction, as in a local stack */
const auctionMs = 4_000

/** Checks an engine with the code that serves it, on the chain of `market`. */
export const checkEngine = async (url: string, market: CheckMarket, report: Report): Promise<void> => {
  const bodies: EngineAuctionBody[] = []
  const notices: EngineNotice[] = []
  const inner = connectEngine('checked', market.solver, url)
  const engine: Engine = {
    solve: (body, timeoutMs) => {
      bodies.push(body)
      return inner.solve(body, timeoutMs)
    },
    notify: (auctionId, solutionId, notice) => {
      notices.push(notice)
      return inner.notify(auctionId, solutionId, notice)
    },
  }
  const { network, client, solver } = market
  const deps = {
    ...{ network, engine, solver, now: Date.now, strategy: 'multihop' as const, tolerance: 0n },
    factory: network.uniswapV2Factory,
    baseTokens: [network.wrappedNative, network.usdReference.address],
  }

  for (const kind of ['sell', 'buy'] as const) {
    const what = `quote of a ${kind}`
    const query = { sellToken: network.wrappedNative, buyToken: network.usdReference.address, kind }
    const amount = kind === 'sell' ? 10n ** 17n : 300_000_000n
    const deadline = new Date(Date.now() + auctionMs).toISOString()
    const findMarket = createQuoteMarket(createBlockMemory())
    try {
      const quoting = { ...deps, background: () => undefined }
      await findEngineQuote(client, findMarket, quoting, { ...query, amount, deadline }, auctionMs)
      report.ok(what)
    } catch (error) {
      const isDeclined = error instanceof DriverError && error.kind !== 'Unavailable'
      if (isDeclined) report.note(what, error.message)
      else report.fault(what, describeError(error))
    }
  }

  let settleable: EncodedEngineSolution | undefined
  const solve = async (what: string, orders: Parameters<CheckMarket['buildAuction']>[1]) => {
    const found: EncodedEngineSolution[] = []
    const notifying: Promise<unknown>[] = []
    const before = notices.length
    const auction = market.buildAuction('1', orders, auctionMs)
    const solving = {
      ...deps,
      simulate: simulateCalls(market.rpcUrl),
      memory: createBlockMemory(),
      log: () => undefined,
    }
    try {
      await findEngineSolutions(
        client,
        solving,
        auction,
        (solution) => found.push(solution),
        (work) => notifying.push(work),
      )
    } catch (error) {
      return report.note(what, describeError(error))
    }
    await Promise.all(notifying)
    for (const notice of notices.slice(before)) report.fault(what, describeNotice(notice))
    settleable ??= found[0]
    if (found.length > 0) report.ok(what, `${found.length} solutions, the settlement succeeds`)
    else if (notices.length === before) report.note(what, 'no solution')
  }
  const orders = await market.signOrders()
  for (const [name, order] of Object.entries(orders)) await solve(name, [order])
  await solve('all orders together', Object.values(orders))

  if (settleable) {
    const { calldata: data, accessList, engineId } = settleable
    const to = network.settlementContract
    const hash = await market.chain.sendTransaction({ account: solver, to, data, accessList, gas: 5_000_000n })
    const { status } = await waitForReceipt(market.chain, hash)
    if (status === 'success') report.ok('a settlement', hash)
    else report.fault('a settlement', `${hash} reverted`)
    await engine.notify('1', engineId, { kind: 'success', transaction: hash })
  } else report.note('a settlement', 'not checked, there is no solution')

  const solveUrl = `${url}/solve`
  const last = bodies.at(-1)
  const soon = new Date(Date.now() + auctionMs).toISOString()
  const write = (changes: object) => JSON.stringify({ ...last, deadline: soon, ...changes })
  await probeAccepted(report, 'an auction without orders', solveUrl, write({ orders: [], liquidity: [] }))
  await probeAccepted(report, 'an auction with unknown fields', solveUrl, write({ later: { field: 1 } }))
  await probeRefusal(report, 'a body that is not JSON', solveUrl, '{"id":')
  await probeRefusal(report, 'a body without fields', solveUrl, '{}')
  await probeAccepted(
    report,
    'an auction whose deadline has passed',
    solveUrl,
    write({ deadline: '2020-01-01T00:00:00Z' }),
  )
  for (const notice of sampleNotices) await probeNotice(report, url, { auctionId: '1', solutionId: 1, ...notice })
  await probeAccepted(report, 'an auction afterwards', solveUrl, write({}))
}

const sampleNotices: EngineNotice[] = [
  ...(['timeout', 'emptySolution', 'settlementStarted', 'cancelled', 'expired', 'fail'] as const).map((kind) => ({
    kind,
  })),
  { kind: 'revert', transaction: `0x${'11'.repeat(32)}` },
  { kind: 'driverError', reason: 'a check' },
]

const describeNotice = (notice: EngineNotice): string => {
  const { kind, ...rest } = notice
  if (notice.kind === 'simulationFailed') return 'simulationFailed: its settlement reverts'
  return Object.keys(rest).length > 0 ? `${kind}: ${Object.values(rest).join(', ')}` : kind
}
