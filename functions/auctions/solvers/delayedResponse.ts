/**
 * A response inside the body of another one, whose headers are sent before its own are known: a line with the status, then
 * the body. Headers are not needed: drivers respond with JSON.
 */
export const encodeHead = (status: number): Uint8Array => new TextEncoder().encode(`${status}\n`)

/** A `Response` of these may have no body. */
const bodiless = new Set([204, 205, 304])
/** Longer than a status. */
const maxHeadBytes = 8

/**
 * Waits for the status and returns the inner response, whose body is still being received.
 * @param signal gives up: the sender of the outer response sees that its body is no longer read
 * @throws Error when the outer body ends or fails before
 */
export const readDelayedResponse = async (outer: Response, signal: AbortSignal): Promise<Response> => {
  const reader = outer.body?.getReader()
  if (!reader) throw new Error('the connection ended without a response')
  const giveUp = () => void reader.cancel(signal.reason).catch(() => undefined)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  let head = new Uint8Array()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error('the connection ended without a response')
    head = new Uint8Array([...head, ...value.subarray(0, maxHeadBytes)])
    const end = head.indexOf(10)
    if (end < 0 && head.length < maxHeadBytes) continue
    const status = Number(new TextDecoder().decode(head.subarray(0, Math.max(end, 0))))
    if (!(status >= 200 && status < 600)) throw new Error('the connection sent no status')
    const headOfValue = value.indexOf(10) + 1
    const body = continueBody(value.subarray(headOfValue), reader)
    return new Response(bodiless.has(status) ? null : body, { status })
  }
}

const continueBody = (
  first: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> => {
  let rest: Uint8Array | undefined = first
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (rest?.length) controller.enqueue(rest)
      else {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      }
      rest = undefined
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
