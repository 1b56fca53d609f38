import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ApiDocument, createOpenApiValidator } from './openApiValidator.ts'

export type Inspector = {
  /** stands in for the base URL that is inspected */
  baseUrl: string
  /** @throws Error naming every answer that deviated from the document */
  close: () => Promise<void>
}

const maxReported = 10

/** A proxy before a gateway that holds every answer against the gateway's own OpenAPI document, whoever asked. */
export const inspectAnswers = async (target: string): Promise<Inspector> => {
  const response = await fetch(`${target}/openapi.json`)
  if (!response.ok) throw new Error(`no OpenAPI document: ${response.status} ${await response.text()}`)
  const validate = createOpenApiValidator((await response.json()) as ApiDocument)
  const deviations = new Set<string>()

  const inspect = (incoming: IncomingMessage, answer: IncomingMessage, body: string | undefined): void => {
    const { method = 'GET', url = '/' } = incoming
    const status = answer.statusCode ?? 0
    const path = url.split('?')[0] ?? ''
    const found = validate({ method, path, status, headers: new Headers(toEntries(answer)), body })
    if (found.length > 0)
      deviations.add(`${method} ${url} → ${status} ${body?.slice(0, 300) ?? ''}: ${found.join('; ')}`)
  }

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url } = incoming
    // Compressed it could not be read.
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
    const onward = sendRequest(target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, toEntries(answer).flat())
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream')
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => isStream || chunks.push(chunk))
      answer.on('end', () => inspect(incoming, answer, isStream ? undefined : Buffer.concat(chunks).toString()))
      answer.on('error', () => outgoing.destroy())
      answer.pipe(outgoing)
    })
    // Nobody answers: neither does the proxy.
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }

  const server = createServer(forward)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (deviations.size === 0) return
      const shown = [...deviations].slice(0, maxReported).join('\n')
      throw new Error(`${deviations.size} answers are not as /openapi.json says:\n${shown}`)
    },
  }
}

const toEntries = (answer: IncomingMessage): [string, string][] =>
  Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  )
