import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Serves on 127.0.0.1 until `close`, which ends all connections.
 * @param port 0 takes any free port
 */
export const listenLocally = async (server: Server, port = 0) => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
