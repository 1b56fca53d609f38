import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** State of the connection to a server: `open` forwards, `cut` closes every connection. */
export type ProxyFault = 'open' | 'cut' | { respondsAfterMs: number }

export type FaultyProxy = {
  port: number
  set: (fault: ProxyFault) => void
  close: () => Promise<void>
}

/** A TCP proxy on a free loopback port in front of a server that may start later. */
export const startFaultyProxy = async (targetPort: number): Promise<FaultyProxy> => {
  let fault: ProxyFault = 'open'
  const sockets = new Set<Socket>()
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const pass = (client: Socket): void => {
    keep(client)
    if (fault === 'cut') return void client.destroy()
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
      if (fault === 'cut') cutAll()
    },
    close: async () => {
      cutAll()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
