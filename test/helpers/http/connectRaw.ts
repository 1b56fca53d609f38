import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { RawRequest } from './arbitraryRequest.ts'

export type RawResponse = { status: number; headers: Headers; body: string }

const timeoutMs = 30_000
/** for an event stream, which need not end */
const beginningMs = 1_000

/** Sends a request verbatim: no client corrects path, headers or body. */
export const connectRaw = (baseUrl: string, connections: number) => {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, headers, body }: RawRequest): Promise<RawResponse> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const options = { agent, hostname, port, method, path, headers: { ...headers, ...length }, timeout: timeoutMs }
      const outgoing = request(options, async (answer) => {
        try {
          const isStream = answer.headers['content-type']?.startsWith('text/event-stream')
          const chunks = isStream ? await takeBeginning(answer) : await answer.toArray()
          const received = new Headers(
            Object.entries(answer.headersDistinct).map(([name, values]) => [name, `${values}`]),
          )
          resolve({
            status: answer.statusCode ?? 0,
            headers: received,
            body: decompress(Buffer.concat(chunks), received),
          })
        } catch (error) {
          reject(error)
        }
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no response in ${timeoutMs} ms`)))
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}

const takeBeginning = async (answer: IncomingMessage): Promise<Buffer[]> => {
  const chunks: Buffer[] = []
  answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined)
  const timer = setTimeout(() => answer.destroy(), beginningMs)
  await new Promise((resolve) => answer.once('close', resolve))
  clearTimeout(timer)
  return chunks
}

const decompress = (body: Buffer, headers: Headers): string => {
  const encoding = headers.get('content-encoding')
  if (body.length === 0) return ''
  if (encoding === 'gzip') return gunzipSync(body).toString()
  return encoding === 'br' ? brotliDecompressSync(body).toString() : body.toString()
}
