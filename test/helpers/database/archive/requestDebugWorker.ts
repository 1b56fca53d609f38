import debugWorker from '../../../../functions/debug/index.ts'
import type { MemoryBucket } from './memoryBucket.ts'

/** A request to the debug Worker of Sepolia with a database and, unless `ARCHIVE` is missing, a bucket. */
export const requestDebugWorker = async (databaseUrl: string, path: string, env: { ARCHIVE?: MemoryBucket }) => {
  const response = await debugWorker.fetch(
    new Request(`http://debug${path}`),
    { NETWORK: 'sepolia', DATABASE_URL: databaseUrl, RPC_URL: 'http://127.0.0.1:9', SOLVERS: '[]', ...env },
    { waitUntil: () => undefined, passThroughOnException: () => undefined } as never,
  )
  const text = await response.text()
  const body = JSON.parse(text) as Record<string, unknown>
  return { status: response.status, cache: response.headers.get('Cache-Control'), text, body }
}
