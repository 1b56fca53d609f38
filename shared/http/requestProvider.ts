import { sendInTurn } from '../connections/connectionLimit.ts'
import { readBoundedJson } from '../connections/readBoundedJson.ts'
import { measureRoundTrip } from '../logging/serverTiming.ts'
import { describeError } from './describeError.ts'

/** Outcome of a request to a data provider; only `absent` means that the requested item does not exist. */
export type ProviderResponse =
  | { status: 'answered'; body: unknown }
  | { status: 'absent' }
  | { status: 'throttled' }
  | { status: 'failed'; reason: string }

const defaultTimeoutMs = 4_000
const defaultMaxBytes = 1024 * 1024

/**
 * Sends a request to a data provider, bounded in time and size. Redirects are not followed, because they would forward
 * an API key in the headers.
 * @returns never rejects; `reason` is for the log, not for clients
 */
export const requestProvider = async (
  request: Request,
  { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes }: { timeoutMs?: number; maxBytes?: number } = {},
): Promise<ProviderResponse> => {
  try {
    return await measureRoundTrip('upstream', async () => {
      const send = () => fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      const response = await sendInTurn('other', send)
      if (response.ok) return { status: 'answered', body: await readBoundedJson(response, maxBytes) }
      await response.body?.cancel()
      if (response.status === 404) return { status: 'absent' }
      if (response.status === 429) return { status: 'throttled' }
      return { status: 'failed', reason: `status ${response.status}` }
    })
  } catch (error) {
    return { status: 'failed', reason: describeError(error) }
  }
}
