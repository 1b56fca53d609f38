/**
 * Reads the JSON body of an untrusted response, up to `maxBytes`; null for an empty body.
 * @throws Error when it is longer or not JSON
 */
export const readBoundedJson = async (
  response: Response,
  maxBytes: number,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> => {
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
      throw new Error(`response longer than ${maxBytes} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
  text += decoder.decode()
  return text === '' ? null : parse(text)
}
