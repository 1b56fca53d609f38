import { createServer, type RequestListener } from 'node:http'
import type { Address } from 'viem'
import type { Solver } from '#shared/solvers/solverList.ts'
import { listenLocally } from '#tools/stack/listenLocally.ts'

/** A solver's driver on its own port, and its received requests. */
export type RunningSolver = { solver: Solver; asked: URL[]; stop: () => Promise<void> }

/** Starts a real HTTP server as a solver's driver; `listener` decides its behaviour. */
export const startSolver = async (
  name: string,
  listener: RequestListener,
  { address = '0x5000000000000000000000000000000000000001', timeoutMs }: { address?: Address; timeoutMs?: number } = {},
): Promise<RunningSolver> => {
  const asked: URL[] = []
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://solver'))
    listener(request, response)
  })
  const { url: baseUrl, close: stop } = await listenLocally(server)
  return {
    asked,
    solver: { name, address, baseUrl, timeoutMs, fetch: (request) => fetch(request) },
    stop,
  }
}

/** Responds to every request with `status` and `body`: text as is, anything else as JSON. */
export const answering =
  (body: unknown, status = 200, afterMs = 0): RequestListener =>
  (_request, response) => {
    setTimeout(() => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }, afterMs)
  }

/** Quotes at each token's value; a token without a value has no route. `values` are wei per 10¹⁸ atoms. */
export const quotingAt =
  (
    values: Record<Address, bigint>,
    { gas, solver, afterMs = 0 }: { gas?: number; solver?: Address; afterMs?: number } = {},
  ): RequestListener =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://solver')
    const tokens = ['sellToken', 'buyToken'].map((name) => searchParams.get(name) as Address)
    const prices = tokens.map((token) => values[token])
    const answer = prices.some((price) => price === undefined)
      ? answering({ kind: 'QuotingFailed', description: 'no route' }, 400, afterMs)
      : answering(
          {
            clearingPrices: Object.fromEntries(tokens.map((token) => [token, String(values[token])])),
            interactions: [{ target: '0x7000000000000000000000000000000000000007', value: '0', callData: '0xabcd' }],
            solver: solver ?? '0x5000000000000000000000000000000000000001',
            gas,
          },
          200,
          afterMs,
        )
    answer(request, response)
  }

/** Whether a request to a solver is one for a native price (`requestNativePrice`) instead of an offer. */
export const isPriceRequest = ({ url = '' }: { url?: string | undefined }): boolean =>
  /kind=buy|[?&]amount=3000000000000000000(&|$)/.test(url)
