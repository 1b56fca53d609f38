import autocannon from 'autocannon'
import { createOrderSigner } from './createOrderSigner.ts'
import type { LoadAnswer, LoadMessage, LoadPlan, LoadResult } from './startLoadGenerator.ts'

/** Program: runs each plan that it receives, several at a time, and replies with the result. */
process.on('message', ({ id, plan }: LoadMessage) => {
  const send = (answer: LoadAnswer) => process.send?.(answer)
  run(plan).then(
    (result) => send({ id, result }),
    (error: unknown) => send({ id, failure: error instanceof Error ? error.message : String(error) }),
  )
})

const timeoutSeconds = 30

const run = async ({ url, connections, seconds, rate, requests }: LoadPlan): Promise<LoadResult> => {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: timeoutSeconds,
    ...(rate === undefined ? {} : { overallRate: rate }),
    requests: Array.isArray(requests)
      ? requests.map(({ headers, ...request }) => ({ ...request, headers: { ...json, ...headers } }))
      : [toSigningRequest(requests)],
  })
  const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count = 0 }]) => [status, count])
  return {
    sent: result.requests.sent,
    requestsPerSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    statuses: Object.fromEntries(statuses),
    errors: result.errors + result.timeouts,
  }
}

const json = { 'Content-Type': 'application/json' }

const toSigningRequest = ({ orders, path }: Exclude<LoadPlan['requests'], unknown[]>): autocannon.Request => {
  const sign = createOrderSigner(orders)
  return {
    method: 'POST',
    path,
    headers: json,
    setupRequest: (request) => ({ ...request, body: sign() }),
  }
}
