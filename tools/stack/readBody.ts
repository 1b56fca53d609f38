import type { IncomingMessage } from 'node:http'

/** The whole body; undefined when it is longer than `maxBytes`. */
export const readBody = async (
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
  }
  return size <= maxBytes ? Buffer.concat(chunks) : undefined
}
