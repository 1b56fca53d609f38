import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import { listenLocally } from '../listenLocally.ts'
import { readBody } from '../readBody.ts'
import { createSinks } from './createSinks.ts'

const maxBodyBytes = 256 * 1024

export type Sinks = { url: string; close: () => Promise<void> }

/**
 * Runs the receiver of all notifications on 127.0.0.1.
 * @param options.baseUrl of the API, for its Telegram webhook
 */
export const startSinks = async ({ port, baseUrl }: { port: number; baseUrl: string }): Promise<Sinks> => {
  const url = `http://127.0.0.1:${port}`
  const sinks = createSinks({
    url,
    sendUpdate: (update, secret) =>
      fetch(`${baseUrl}/telegram/webhook`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Telegram-Bot-Api-Secret-Token': secret },
        body: JSON.stringify(update),
      }),
  })
  const server = createServer((request, response) => {
    answer(sinks, url, request, response).catch(() => response.destroy())
  })
  return listenLocally(server, port)
}

const answer = async (sinks: Hono, url: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = 'GET', headers } = request
  const body = await readBody(request, maxBodyBytes)
  if (!body) return void response.writeHead(413, { Connection: 'close' }).end()
  const entries = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const init = { method, headers: entries as [string, string][], ...(body.length > 0 ? { body } : {}) }
  const answered = await sinks.fetch(new Request(`${url}${request.url}`, init))
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.end(Buffer.from(await answered.arrayBuffer()))
}
