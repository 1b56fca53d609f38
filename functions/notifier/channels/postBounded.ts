import { sendInTurn } from '#shared/connections/connectionLimit.ts'

const timeoutMs = 5_000

/** Response of an untrusted server; `body` is undefined when it is too long or was interrupted. */
export type BoundedResponse = { status: number; retryAfterMs: number | undefined; body: string | undefined }

export type PostRequest = {
  url: URL | string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer>
  /** maximum bytes of the response body; default: the body is not read */
  maxBytes?: number
}

/**
 * Posts once to an untrusted server: within five seconds, without following redirects.
 * @returns never rejects; `failure` is a message for the owner of the target
 */
export const postBounded = async ({
  url,
  headers,
  body,
  maxBytes = 0,
}: PostRequest): Promise<BoundedResponse | { failure: string }> => {
  let signal: AbortSignal | undefined
  const send = () => {
    signal = AbortSignal.timeout(timeoutMs)
    return fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  }
  try {
    const response = await sendInTurn('other', send)
    return {
      status: response.status,
      retryAfterMs: readRetryAfter(response.headers.get('Retry-After')),
      // the status counts even when reading the body fails: an accepted message must not be sent again
      body: await readText(response, maxBytes).catch(() => undefined),
    }
  } catch {
    return { failure: signal?.aborted ? `no response within ${timeoutMs / 1000} seconds` : 'no connection' }
  }
}

const readText = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  if (maxBytes === 0) {
    await response.body?.cancel()
    return undefined
  }
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  for (let size = 0; size <= maxBytes; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size <= maxBytes) text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return undefined
}

/** Milliseconds from now; the header has seconds or a date. */
const readRetryAfter = (header: string | null): number | undefined => {
  if (header === null) return undefined
  const milliseconds = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return milliseconds > 0 ? milliseconds : undefined
}
