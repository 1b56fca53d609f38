import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openPostgres } from './openPostgres.ts'

const toMessage = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), length, body])
}
const authenticated = toMessage('R', Buffer.alloc(4))
const ready = (state: string): Buffer => toMessage('Z', Buffer.from(state))

/** Begins a transaction, and resets the connection at its first statement, as a server that crashes. */
const crash = (socket: Socket): void => {
  socket.once('data', () => {
    socket.write(Buffer.concat([authenticated, ready('I')]))
    socket.once('data', () => {
      socket.write(Buffer.concat([toMessage('C', Buffer.from('BEGIN\0')), ready('T')]))
      socket.once('data', () => socket.resetAndDestroy())
    })
  })
}

test('a server that crashes during a batch fails the batch, and nothing else', async () => {
  const server = createServer(crash)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const backend = openPostgres(`postgres://user:password@127.0.0.1:${port}/book`)
  const statement = { query: 'select 1', params: [] }
  // an error event without a listener would end the process, as an unhandled error of this run
  const mode = { isolationLevel: undefined, readOnly: false, deferrable: false }
  await expect(backend.runBatch([statement], mode)).rejects.toThrow()
  await backend.close()
  server.close()
})
