import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hex } from 'viem'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'

export type PrivateParameters = { tx: Hex; maxBlockNumber?: Hex }

export type Relay = {
  url: string
  /** parameters of every request, oldest first */
  received: PrivateParameters[]
  stop: () => void
}

/**
 * An endpoint with `eth_sendPrivateTransaction` alone, in front of a local chain.
 * @param isIncluded whether it sends a transaction on: a relay with revert protection keeps back what would revert
 */
export const startRelay = async (
  chain: LocalChain,
  isIncluded: (parameters: PrivateParameters) => boolean = () => true,
): Promise<Relay> => {
  const received: PrivateParameters[] = []
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const answer = async () => {
      if (method !== 'eth_sendPrivateTransaction') return { error: { code: -32_601, message: 'method not found' } }
      const [parameters] = params as [PrivateParameters]
      received.push(parameters)
      if (isIncluded(parameters)) await chain.sendRawTransaction({ serializedTransaction: parameters.tx })
      return { result: `0x${'5a'.repeat(32)}` }
    }
    const answered = await answer().catch((error: Error) => ({ error: { code: -32_000, message: error.message } }))
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...answered }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
