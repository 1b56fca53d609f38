import { type AddressInfo, createServer } from 'node:net'

/**
 * @param wanted a port of 127.0.0.1, or 0 for any free one
 * @param setting names the setting in the message
 * @throws Error when the port is taken
 */
export const findPort = async (wanted: number, setting: string): Promise<number> => {
  const server = createServer()
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${wanted} is taken: set ${setting} to another port, or to 0 for any free one`)
          : error,
      ),
    )
    server.listen(wanted, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  await new Promise((resolve) => server.close(resolve))
  return port
}
