/** A body is longer than its reader allows. */
export class TooLongError extends Error {
  override name = 'TooLongError'

  constructor(maxBytes: number) {
    super(`response longer than ${maxBytes} bytes`)
  }
}

/**
 * Reads the JSON body of an untrusted response, up to `maxBytes`; null for an empty body.
 * @throws TooLongError; SyntaxError when it is not JSON
 */
export const readBoundedJson = async (
  response: Response,
  maxBytes: number,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> => {
  if (isShort(response, maxBytes)) {
    const text = await response.text()
    return text === '' ? null : parse(text)
  }
  const reader = response.body?.getReader()
  if (!reader) return null
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      throw new TooLongError(maxBytes)
    }
    text += decoder.decode(value, { stream: true })
  }
  text += decoder.decode()
  return text === '' ? null : parse(text)
}

/** A body of a stated length is read at once, which costs less; that of a compressed one says nothing. */
const isShort = ({ headers }: Response, maxBytes: number): boolean => {
  const length = headers.get('Content-Length')
  return length !== null && !headers.has('Content-Encoding') && Number(length) <= maxBytes
}
