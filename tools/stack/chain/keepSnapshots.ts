import { rename, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const intervalMs = 2_000
/** Snapshots take at most one part in this many of the time, however long the chain has become. */
const share = 20
const timeoutMs = 60_000

/**
 * Writes the whole chain to `file`: now, every few seconds and at `stop`. anvil's `--state-interval` empties the file
 * before it writes, and a kill at that moment loses the chain; here a new file replaces the old one.
 */
export const keepSnapshots = async (rpcUrl: string, file: string): Promise<{ stop: () => Promise<void> }> => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let writing = takeSnapshot(rpcUrl, file)
  await writing

  const schedule = (delayMs: number): void => {
    timer = setTimeout(() => {
      const begin = Date.now()
      // An unresponsive chain retains its last snapshot; its end is detected elsewhere.
      writing = takeSnapshot(rpcUrl, file).catch(() => undefined)
      void writing.then(() => {
        if (!stopped) schedule(Math.max(intervalMs, (Date.now() - begin) * share))
      })
    }, delayMs)
  }
  schedule(intervalMs)

  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await writing
      await takeSnapshot(rpcUrl, file).catch(() => undefined)
    },
  }
}

const takeSnapshot = async (rpcUrl: string, file: string): Promise<void> => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] }),
  })
  const { result } = (await response.json()) as { result: string }
  await writeFile(`${file}.new`, await promisify(gunzip)(Buffer.from(result.slice(2), 'hex')))
  await rename(`${file}.new`, file)
}
