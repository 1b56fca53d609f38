import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type DatabaseProxy = {
  /** replaces the URL of the database behind it */
  databaseUrl: string
  /** statements since the start; a batch is one */
  count: () => number
  /** watches the answers from now on; the returned function gives the number, as in `count`, of the first statement whose answer matched */
  follow: (matches: (answer: string) => boolean) => () => number | undefined
  close: () => void
}

/** A proxy between a Worker and a local database endpoint that counts statements. */
export const startDatabaseProxy = async (endpoint: string): Promise<DatabaseProxy> => {
  let count = 0
  const followers: ((statement: number, answer: string) => void)[] = []
  const server = createServer(async (request, response) => {
    count += 1
    const statement = count
    const body = await buffer(request)
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    })
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? 'application/json' })
    const text = await answer.text()
    for (const notice of followers) notice(statement, text)
    response.end(text)
  })
  server.on('clientError', (_, socket) => socket.destroy())
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    databaseUrl: `postgres://edgebook:edgebook@127.0.0.1:${port}/edgebook`,
    count: () => count,
    follow: (matches) => {
      let found: number | undefined
      followers.push((statement, answer) => {
        if (matches(answer)) found ??= statement
      })
      return () => found
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
