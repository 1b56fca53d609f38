import { Agent, request as ask, createServer } from 'node:http'
import { isLocalRequest } from '../isLocalRequest.ts'
import { listenLocally } from '../listenLocally.ts'

/** longer than workerd holds an idle connection, so that it never sends a call on a closing one */
const keepAliveMs = 60_000

/** Browser extensions (wallets) have origins that no page can claim. */
const extensionPattern = /^[a-z]+-extension:\/\/[\w-]+$/

/**
 * Port of a local chain for programs and wallets of this machine. The chain's own port accepts calls of any page: it
 * checks neither `Host` nor, for WebSockets, `Origin`. This one refuses foreign values of both, and serves only HTTP.
 * @param target address of the chain
 */
export const startRpcProxy = async (port: number, target: string): Promise<{ rpcUrl: string; stop: () => void }> => {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    const { origin } = request.headers
    const isExtension = origin !== undefined && extensionPattern.test(origin)
    const headers = isExtension ? { host: request.headers.host } : request.headers
    if (!isLocalRequest({ headers })) {
      response.writeHead(403, { 'Content-Type': 'text/plain', Connection: 'close' }).end('this machine only')
      return
    }
    const forwarded = ask(target, { method: request.method, headers: request.headers, agent }, (answer) => {
      const allowed = origin === undefined ? {} : { 'access-control-allow-origin': origin }
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...allowed })
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    forwarded.on('error', () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502, { 'Content-Type': 'text/plain' }).end('the chain does not respond')
    })
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  server.keepAliveTimeout = keepAliveMs
  const { url: rpcUrl, close } = await listenLocally(server, port)
  return {
    rpcUrl,
    stop: () => {
      void close()
      agent.destroy()
    },
  }
}
