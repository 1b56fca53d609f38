import { type NeonQueryFunction, neon, neonConfig, types } from '@neondatabase/serverless'

/** Sends a request of Neon's protocol; a database that is not well is an error. */
export type SendStatement = (
  url: string,
  init: RequestInit,
) => Promise<Pick<Response, 'ok' | 'status' | 'json' | 'text'>>

/** object identifier of Postgres' type of bytes */
const byteaType = 17
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])
const findNeonEndpoint = neonConfig.fetchEndpoint as Exclude<typeof neonConfig.fetchEndpoint, string>

// the driver has these settings once for all databases
neonConfig.fetchEndpoint = (host, port, options) =>
  loopbackHosts.has(host) ? `http://${host}:${port}/sql` : findNeonEndpoint(host, port, options)
neonConfig.fetchFunction = (url: string, { send = fetch, ...init }: RequestInit & { send?: SendStatement }) =>
  send(url, init)
// columns read bytes from text
types.setTypeParser(byteaType, (text) => text)

/** Neon's driver over HTTP: one request for a statement or a batch, which is one transaction. */
export const connectNeon = (databaseUrl: string, send: SendStatement): NeonQueryFunction<false, false> =>
  neon(addName(databaseUrl), { fetchOptions: { send } })

/** Whether a connection string names this machine, where a local stack speaks Neon's protocol. */
export const isLoopback = (databaseUrl: string): boolean =>
  // only such a scheme has its hosts in lower case
  loopbackHosts.has(new URL(databaseUrl.replace(/^postgres(ql)?:/, 'http:')).hostname)

/** Postgres shows the name with the statements that it runs. */
const addName = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  if (!url.searchParams.has('application_name')) url.searchParams.set('application_name', 'edgebook')
  return url.href
}
