import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net, { isIPv6 } from 'node:net'

/** First descriptor that systemd passes. */
const activatedFd = 3
const addressInUse = 'is taken: another program listens there'

/**
 * A listening socket that this process does not accept on: each workerd that inherits it does, and connections wait in
 * it while none runs. systemd may have opened it (a `.socket` unit), so that it outlives this process, too.
 * @returns its file descriptor
 * @throws Error when the port is taken
 */
export const openSocket = async ({ host, port }: { host: string; port: number }): Promise<number> => {
  const { LISTEN_FDS, LISTEN_PID } = process.env
  if (LISTEN_FDS === '1' && LISTEN_PID === String(process.pid)) return activatedFd
  await checkFree(host, port)
  // bound, but a server of this process would accept connections
  const bound = createHandle(host, port, isIPv6(host) ? 6 : 4, -1, 0)
  if (typeof bound === 'number') throw new Error(`cannot listen on ${host} port ${port}: error ${bound}`)
  const listen = "require('node:net').createServer().listen({ fd: 3, backlog: 1024 }, () => process.exit())"
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'ignore', 'inherit', bound.fd] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${host} port ${port} ${addressInUse}`)
  held.push(bound)
  return bound.fd
}

type Handle = { fd: number }
/** What `node:cluster` binds with. */
const { _createServerHandle: createHandle } = net as unknown as {
  _createServerHandle: (host: string, port: number, family: 4 | 6, fd: number, flags: number) => Handle | number
}
/** The socket closes with its handle. */
const held: Handle[] = []

const checkFree = async (host: string, port: number): Promise<void> => {
  const server = net.createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    throw new Error(`${host} port ${port} ${isTaken ? addressInUse : error}`)
  }
  server.close()
  await once(server, 'close')
}
