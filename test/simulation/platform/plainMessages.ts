/**
 * Requests and responses of HTTP with a text as body, without streams: those of the runtime took a tenth of a run. They have
 * what the service uses of them; a use of anything else fails.
 */

const neverAborted = new AbortController().signal
const encoder = new TextEncoder()

/** The request of a call of `fetch` with a text as body; its signal is the caller's. */
export const createPlainRequest = (url: string, init: RequestInit & { body: string }): Request => {
  let headers: Headers | undefined
  const request = {
    url,
    method: init.method ?? 'GET',
    signal: init.signal ?? neverAborted,
    get headers(): Headers {
      headers ??= new Headers(init.headers)
      return headers
    },
    text: async () => init.body,
    json: async () => JSON.parse(init.body),
  }
  return request as unknown as Request
}

const jsonHeaders = new Headers({ 'Content-Type': 'application/json' })

/** A response with a JSON body. */
export const createPlainResponse = (value: unknown, status = 200): Response => {
  const text = JSON.stringify(value)
  const response = {
    status,
    ok: status >= 200 && status < 300,
    statusText: '',
    headers: jsonHeaders,
    body: createPlainBody(text),
    text: async () => text,
    json: async () => JSON.parse(text),
  }
  return response as unknown as Response
}

/** The bytes of a text in one part, as a stream gives them to its reader. */
const createPlainBody = (text: string) => {
  let isRead = false
  const cancel = async () => {
    isRead = true
  }
  const read = async () => {
    if (isRead) return { done: true, value: undefined }
    isRead = true
    return { done: false, value: encoder.encode(text) }
  }
  return { cancel, getReader: () => ({ read, cancel, releaseLock: () => undefined }) }
}
