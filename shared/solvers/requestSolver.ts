import type { core, z } from 'zod'
import { readBoundedJson, TooLongError } from '../connections/readBoundedJson.ts'
import { measureRoundTrip } from '../logging/serverTiming.ts'
import { toLine } from '../toLine.ts'
import { driverErrorSchema } from './driverApi.ts'
import { parseDriverJson } from './parseDriverJson.ts'
import type { Solver } from './solverList.ts'

/**
 * In the worst case (`{}` after `{}`) the parsed response takes twenty times the memory, and a Worker has 128 MiB for
 * all solvers.
 */
export const maxResponseBytes = 2 * 1024 * 1024

/** Failure of a solver: `kind` is the driver's own error kind, or `Timeout`, `Unreachable`, `Garbage`. */
export class SolverError extends Error {
  readonly kind: string
  /** HTTP status of an error response; undefined without one */
  readonly status: number | undefined

  constructor(kind: string, description: string, status?: number) {
    super(description)
    this.name = 'SolverError'
    this.kind = kind
    this.status = status
  }
}

/** Statuses of a request that cannot be read: malformed, too large, unprocessable, or one that breaks its parser. */
const refusalStatuses: ReadonlySet<number | undefined> = new Set([400, 413, 415, 422, 500])
/** Errors of drivers with such a status after they have read the request. */
const laterKinds: ReadonlySet<string> = new Set([
  ...['UnknownBase', 'DeadlineExceeded', 'SolverFailed', 'CustomSolverError', 'NoValidOrders', 'QuotingFailed'],
  ...['InsufficientLiquidity', 'TokenTemporarilySuspended', 'TradingOutsideAllowedWindow'],
  ...['TooManyPendingSettlements', 'SolutionNotAvailable', 'FailedToSubmit'],
])

/** Kinds that are shown to the public: those of the driver API, and of failures that are found here. */
const publicKinds: ReadonlySet<string> = new Set([
  ...laterKinds,
  ...['QuoteSameTokens', 'Timeout', 'Unreachable', 'Garbage', 'Implausible', 'Refuted', 'Unavailable', 'Paused'],
])

/** Kind of a failure for the public; a kind of the driver's own is `SolverFailed`. */
export const toPublicKind = ({ kind }: SolverError): string => (publicKinds.has(kind) ? kind : 'SolverFailed')

/**
 * Failure of a solver for the public. The words of its driver, or of an error that may name the address of a node with its
 * key, are in the log only.
 */
export const describeFailure = (error: SolverError): string => {
  const { message, status } = error
  const kind = toPublicKind(error)
  if (status !== undefined) return `${kind}, status ${status}`
  return kind === 'Timeout' || kind === 'Garbage' ? `${kind}: ${message}` : kind
}

/** Whether a driver refused to read the request itself. */
export const isReadRefusal = ({ kind, status }: SolverError): boolean =>
  refusalStatuses.has(status) && !laterKinds.has(kind)

/**
 * One request of the driver API, bounded in time (`timeoutMs`, including the body) and size. The response is validated
 * with `schema`.
 * @param call `signal` aborts the call earlier
 * @throws SolverError on any failure
 */
export const requestSolver = async <Schema extends z.ZodType>(
  solver: Solver,
  call: {
    method: 'GET' | 'POST'
    path: string
    body?: unknown
    /** the body as JSON text, when it is serialised already */
    json?: string
    headers?: Record<string, string>
    /** parses the JSON of a response; default: `parseDriverJson` */
    parse?: (text: string) => unknown
    timeoutMs: number
    signal?: AbortSignal | undefined
  },
  schema: Schema,
): Promise<z.output<Schema>> => {
  const timeoutMs = Math.min(call.timeoutMs, solver.timeoutMs ?? call.timeoutMs)
  const timeout = AbortSignal.timeout(Math.max(timeoutMs, 1))
  const signal = call.signal ? AbortSignal.any([timeout, call.signal]) : timeout
  const json = call.json ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  try {
    const request = new Request(solver.baseUrl + call.path, {
      method: call.method,
      headers: json === undefined ? call.headers : { ...call.headers, 'Content-Type': 'application/json' },
      body: json,
      redirect: 'manual',
      signal,
    })
    return await measureRoundTrip('solver', async () => {
      const response = await solver.fetch(request)
      const body = await readResponse(response, call.parse)
      if (response.status !== 200) {
        const { data } = driverErrorSchema.safeParse(body)
        throw new SolverError(
          data?.kind ?? 'Garbage',
          data?.description ?? describeStatus(response.status),
          response.status,
        )
      }
      const parsed = schema.safeParse(body)
      if (!parsed.success) throw new SolverError('Garbage', describeMismatch(parsed.error, 'body'))
      return parsed.data
    })
  } catch (error) {
    // first: a body that was cut off may look like another fault
    if (signal.aborted) throw new SolverError('Timeout', `no complete response within ${timeoutMs} ms`)
    if (error instanceof SolverError) throw error
    throw new SolverError('Unreachable', error instanceof Error ? error.message : String(error))
  }
}

const describeStatus = (status: number): string =>
  status >= 300 && status < 400 ? `status ${status}, redirects are not followed` : `status ${status}`

/**
 * The first invalid field of a driver's response, and its expected value, in one short line.
 * @param name of the whole value
 */
export const describeMismatch = ({ issues: [issue] }: core.$ZodError, name = 'solution'): string => {
  if (!issue) return 'malformed response'
  const [nested] = issue.code === 'invalid_union' ? (issue.errors[0] ?? []) : []
  const { path, message } = nested ? { path: [...issue.path, ...nested.path], message: nested.message } : issue
  return toLine(`${path.length > 0 ? toLine(path.map(String).join('.'), 200) : name}: ${message}`, 400)
}

const readResponse = async (response: Response, parse = parseDriverJson): Promise<unknown> => {
  const status = response.status === 200 ? undefined : response.status
  const parseOrThrow = (text: string): unknown => {
    try {
      return parse(text)
    } catch (error) {
      // a parser that reads large ids fails at a deep nesting with another error
      const fault = error instanceof SyntaxError ? 'is not JSON' : 'is nested too deeply'
      throw new SolverError('Garbage', `status ${response.status}, body ${fault}`, status)
    }
  }
  try {
    return await readBoundedJson(response, maxResponseBytes, parseOrThrow)
  } catch (error) {
    if (error instanceof TooLongError) throw new SolverError('Garbage', error.message, status)
    throw error
  }
}
