import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { reservePort } from './reservePort.ts'

/** Below the ephemeral ports, so that no connection takes one between finding and use. */
const anyPorts = { first: 15_000, end: 32_000 }
const maxTries = 100

/**
 * @param wanted a port of 127.0.0.1, or 0 for any free one
 * @param setting name for the error
 * @throws Error when the port is taken
 */
export const findPort = async (wanted: number, setting: string): Promise<number> => {
  if (wanted === 0) return findAnyPort()
  if (await isFree(wanted)) return wanted
  throw new Error(`port ${wanted} is taken: set ${setting} to another port, or to 0 for any free one`)
}

const findAnyPort = async (): Promise<number> => {
  for (let i = 0; i < maxTries; i += 1) {
    const port = randomInt(anyPorts.first, anyPorts.end)
    // it stays reserved, since it may not be in use yet
    if (reservePort(port) && (await isFree(port))) return port
  }
  throw new Error(`no free port in ${maxTries} tries from ${anyPorts.first} to ${anyPorts.end}`)
}

/** @throws Error when the port is unavailable for another reason than being taken */
const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  const free = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (free) await new Promise((resolve) => server.close(resolve))
  return free
}
