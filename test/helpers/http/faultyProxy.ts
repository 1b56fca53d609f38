import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * State of the connection to a server: `open` forwards, `cut` closes every connection, `flapping`
 * alternates between cut and open.
 */
export type ProxyFault = 'open' | 'cut' | 'flapping' | { respondsAfterMs: number }

export type FaultyProxy = {
  port: number
  set: (fault: ProxyFault) => void
  close: () => Promise<void>
}

const flapMs = 400

/** A TCP proxy on a free loopback port in front of a server that may start later. */
export const startFaultyProxy = async (targetPort: number): Promise<FaultyProxy> => {
  let fault: ProxyFault = 'open'
  const sockets = new Set<Socket>()
  const startedAt = Date.now()
  const isCut = (): boolean =>
    fault === 'cut' || (fault === 'flapping' && Math.floor((Date.now() - startedAt) / flapMs) % 2 === 0)
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const flapping = setInterval(() => isCut() && cutAll(), flapMs / 4)

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const pass = (client: Socket): void => {
    keep(client)
    if (isCut()) return void client.destroy()
    const server = keep(connect(targetPort, '127.0.0.1'))
    client.on('data', (chunk) => server.write(chunk))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    server.on('data', (chunk) => {
      const waitMs = typeof fault === 'object' ? fault.respondsAfterMs : 0
      if (waitMs === 0) client.write(chunk)
      else setTimeout(() => client.destroyed || client.write(chunk), waitMs)
    })
  }
  const proxy = createServer(pass)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: (proxy.address() as AddressInfo).port,
    set: (next) => {
      fault = next
      if (isCut()) cutAll()
    },
    close: async () => {
      clearInterval(flapping)
      cutAll()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
