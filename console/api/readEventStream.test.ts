import { describe, expect, test } from 'vitest'
import { readEventStream, type StreamedEvent } from './readEventStream.ts'

const encoder = new TextEncoder()
const toBody = (chunks: (string | Uint8Array<ArrayBuffer>)[], onCancel?: () => void): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      if (!onCancel) controller.close()
    },
    cancel: onCancel,
  })
const readAll = async (chunks: (string | Uint8Array<ArrayBuffer>)[]): Promise<StreamedEvent[]> => {
  const events: StreamedEvent[] = []
  for await (const event of readEventStream(toBody(chunks))) events.push(event)
  return events
}

describe('readEventStream', () => {
  test('reads events with and without a name and skips comments', async () => {
    expect(await readAll([': hi\n\ndata: {"a":1}\n\nevent: error\ndata: {}\n\n: keep-alive\n\n'])).toEqual([
      { name: 'message', data: '{"a":1}' },
      { name: 'error', data: '{}' },
    ])
  })

  test('reads events across chunks', async () => {
    const bytes = encoder.encode('event: x\r\ndata: €\r\ndata: 2\r\n\r\n')
    const chunks = [...bytes].map((byte) => new Uint8Array([byte]))
    expect(await readAll(chunks)).toEqual([{ name: 'x', data: '€\n2' }])
  })

  test('drops an incomplete event', async () => {
    expect(await readAll(['data: 1\n\ndata: 2'])).toEqual([{ name: 'message', data: '1' }])
  })

  test('rejects an event above the size limit', async () => {
    await expect(readAll(['data: ', 'a'.repeat(600_000)])).rejects.toThrow('too long')
  })

  test('cancels the stream when the reader stops', async () => {
    let isCancelled = false
    const body = toBody(['data: 1\n\n'], () => {
      isCancelled = true
    })
    for await (const { data } of readEventStream(body)) {
      expect(data).toBe('1')
      break
    }
    expect(isCancelled).toBe(true)
  })
})
