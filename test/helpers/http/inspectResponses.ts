import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenLocally } from '#tools/stack/listenLocally.ts'
import { type ApiDocument, createOpenApiValidator } from './openApiValidator.ts'

export type Inspector = {
  /** replaces the inspected base URL */
  baseUrl: string
  /** @throws Error naming every response since the last check that deviated from the document */
  check: () => void
  /** Closes the proxy and checks. */
  close: () => Promise<void>
}

const maxReported = 10

type Validator = ReturnType<typeof createOpenApiValidator>

/** By the text of the document: stacks of one process have the same. */
const validators = new Map<string, Validator>()

const findValidator = (text: string): Validator => {
  const known = validators.get(text)
  if (known) return known
  const created = createOpenApiValidator(JSON.parse(text) as ApiDocument)
  validators.set(text, created)
  return created
}

/** A proxy in front of a gateway that checks every response against the gateway's OpenAPI document. */
export const inspectResponses = async (target: string): Promise<Inspector> => {
  const response = await fetch(`${target}/openapi.json`)
  const text = await response.text()
  if (!response.ok) throw new Error(`no OpenAPI document: ${response.status} ${text}`)
  const validate = findValidator(text)
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
    // Compressed bodies could not be read.
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
    // a connection of its own: the gateway may close an idle one while a request is on its way
    const onward = sendRequest(target + url, { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, toEntries(answer).flat())
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream')
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => isStream || chunks.push(chunk))
      answer.on('end', () => inspect(incoming, answer, isStream ? undefined : Buffer.concat(chunks).toString()))
      answer.on('error', () => outgoing.destroy())
      answer.pipe(outgoing)
    })
    // Without a response from the gateway the proxy sends none.
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }

  /** WebSockets pass as they are: their messages are checked where they are received. */
  const upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { hostname, port } = new URL(target)
    const onward = connect(Number(port), hostname, () => {
      const headers = incoming.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? `${name}: ${all[i + 1]}` : []))
      onward.write([`${incoming.method} ${incoming.url} HTTP/1.1`, ...headers, '', ''].join('\r\n'))
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    socket.on('close', () => onward.destroy())
  }

  const check = (): void => {
    const found = [...deviations]
    deviations.clear()
    if (found.length === 0) return
    throw new Error(`${found.length} responses deviate from /openapi.json:\n${found.slice(0, maxReported).join('\n')}`)
  }

  const server = createServer(forward).on('upgrade', upgrade)
  const { url: baseUrl, close } = await listenLocally(server)
  return {
    baseUrl,
    check,
    close: async () => {
      await close()
      check()
    },
  }
}

const toEntries = (answer: IncomingMessage): [string, string][] =>
  Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  )
