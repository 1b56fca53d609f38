const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Whether a connection string names this machine, where a local stack speaks Neon's protocol. */
export const isLoopback = (databaseUrl: string): boolean => loopbackHosts.has(toUrl(databaseUrl).hostname)

/** URL that takes the statements of a database: at Neon, the first label of the host is replaced by `api`. */
export const findEndpoint = (databaseUrl: string): string => {
  const { hostname, port } = toUrl(databaseUrl)
  if (loopbackHosts.has(hostname)) return `http://${hostname}:${port}/sql`
  return `https://${hostname.replace(/^[^.]+\./, 'api.')}/sql`
}

/** Hosts are read as those of `http:`: only such a scheme has them in lower case. */
const toUrl = (databaseUrl: string): URL => new URL(databaseUrl.replace(/^postgres(ql)?:/, 'http:'))
