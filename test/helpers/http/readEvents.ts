/** A received server-sent event; `name` defaults to `message`. */
export type ReceivedEvent = { name: string; data: unknown }

/**
 * Reads server-sent events until the stream ends; skips comments.
 * @param hear called with each event as it arrives
 */
export const readEvents = async (
  response: Response,
  hear: (event: ReceivedEvent) => void = () => undefined,
): Promise<ReceivedEvent[]> => {
  const events: ReceivedEvent[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s)))
      if (fields.data === undefined) continue
      const event = { name: fields.event ?? 'message', data: JSON.parse(fields.data) }
      events.push(event)
      hear(event)
    }
  }
  return events
}
