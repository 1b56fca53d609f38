import { setTimeout as sleep } from 'node:timers/promises'
import { readServerTiming } from '#shared/logging/serverTiming.ts'
import type { Report } from '../figure.ts'
import { createOrderSigner } from '../load/createOrderSigner.ts'
import { type LoadGenerator, type LoadPlan, startLoadGenerator } from '../load/startLoadGenerator.ts'
import { seedBook } from '../platform/seedBook.ts'
import { type Platform, startPlatform } from '../platform/startPlatform.ts'
import { readProcessUsage } from '../workerd/readProcessUsage.ts'
import { type PathFigures, type Run, toPathFigures, toPathReport } from './pathFigures.ts'
import { buildBenchPaths, type Path } from './paths.ts'

const connections = 32
/** warm-up per row, for the compiler */
const warmUpSeconds = 1
/** pause until the requests of the last run have ended */
const settleMs = 500

/**
 * Runs every path under load, in turns with its floor Worker.
 * @param options.serve one isolate for all handlers
 * @param options.quick seconds for each row, otherwise about a minute
 */
export const benchPaths = async (
  options: { quick: boolean; serve?: boolean; only?: string | undefined },
  report: (report: Report) => void,
): Promise<void> => {
  const platform = await startPlatform({ blockTime: 3_600, isCombined: options.serve ?? false })
  const load = startLoadGenerator()
  try {
    const book = await seedBook(platform)
    const etag = (
      await sendRequest(platform, { method: 'GET', path: `/sepolia/api/v1/orders/${book.terminalUid}` })
    ).headers.get('ETag')
    const figures: PathFigures[] = []
    const paths = buildBenchPaths(book, platform.tokens, etag ?? '').filter(({ name }) =>
      name.includes(options.only ?? ''),
    )
    for (const path of paths) {
      const found = await measurePath(
        platform,
        load,
        path,
        options.quick ? { rounds: 2, seconds: 1 } : { rounds: 5, seconds: 5 },
      )
      if (found) figures.push(found)
    }
    report(toPathReport(figures))
  } finally {
    load.stop()
    await platform.stop()
  }
}

const measurePath = async (
  platform: Platform,
  load: LoadGenerator,
  path: Path,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<PathFigures | undefined> => {
  const first = await sendRequest(platform, toOneRequest(path))
  if (first.status === 404 || first.status === 503) {
    console.log(`${path.name}: status ${first.status}, skipped`)
    return undefined
  }
  const floorPlan = toFloorPlan(platform, path)
  const pathPlan = { url: platform.baseUrl, connections, requests: path.requests }
  await load.run({ ...pathPlan, seconds: warmUpSeconds })
  await load.run({ ...floorPlan, seconds: warmUpSeconds })

  const started = performance.now()
  const alone = await sendRequest(platform, toOneRequest(path))
  const aloneMs = performance.now() - started
  const timing = readServerTiming(alone.headers.get('Server-Timing'))

  const runs: { path: Run; floor: Run }[] = []
  let roundTrips = 0
  let requests = 0
  for (let round = 0; round < rounds; round++) {
    const floor = await measureRun(platform, load, { ...floorPlan, seconds }, 200)
    const before = platform.countRoundTrips()
    const run = await measureRun(platform, load, { ...pathPlan, seconds }, path.status)
    roundTrips += platform.countRoundTrips() - before
    requests += run.sent
    runs.push({ floor, path: run })
  }
  return toPathFigures({
    path,
    runs,
    databaseRoundTrips: roundTrips / requests,
    rpcCalls: timing.get('rpc')?.count ?? 0,
    aloneMs,
    solverMs: timing.get('solver')?.milliseconds ?? 0,
  })
}

const toFloorPlan = (platform: Platform, { floor }: Path): Omit<LoadPlan, 'seconds'> => {
  const path = { hono: '/ping', driver: `/order/11155111/${'00'.repeat(56)}` }[floor]
  return { url: platform.floors[floor], connections, requests: [{ method: 'GET', path }] }
}

/** @throws Error when a response has an unexpected status */
const measureRun = async (
  { processes }: Platform,
  load: LoadGenerator,
  plan: LoadPlan,
  status: number,
): Promise<Run & { sent: number }> => {
  const before = await readProcessUsage(processes.api)
  const { sent, requestsPerSecond, p50, p99, statuses, errors } = await load.run(plan)
  await sleep(settleMs)
  const after = await readProcessUsage(processes.api)
  const others = Object.keys(statuses).filter((found) => Number(found) !== status)
  if (others.length > 0 || errors > 0)
    throw new Error(`${JSON.stringify(plan.requests).slice(0, 200)}: ${JSON.stringify({ statuses, errors })}`)
  return { sent, requestsPerSecond, p50, p99, cpuMs: (after.cpuMs - before.cpuMs) / sent }
}

type OneRequest = { method: string; path: string; body?: string; headers?: Record<string, string> }

const toOneRequest = ({ requests }: Path): OneRequest => {
  if (!Array.isArray(requests))
    return { method: 'POST', path: requests.path, body: createOrderSigner(requests.orders)() }
  const [request] = requests
  if (!request) throw new Error('a path without a request')
  return request
}

const sendRequest = async (platform: Platform, { path, headers, ...init }: OneRequest): Promise<Response> => {
  const response = await fetch(platform.baseUrl + path, {
    ...init,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  await response.arrayBuffer()
  return response
}
