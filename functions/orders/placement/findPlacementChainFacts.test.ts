import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import type { OrderQuery } from '#shared/orders/chainFacts/orderQuery.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { findPlacementChainFacts } from './findPlacementChainFacts.ts'

test('a node that never responds is unavailable after the timeout, and the order may be sent again', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { uid, owner, sellToken } = filledOrder
  const query: OrderQuery = {
    ...{ uid, digest: `0x${'00'.repeat(32)}`, owner, sellToken, preInteractions: [], contractSignature: undefined },
    ...{ transfers: [1n], payout: undefined, maxGas: 1_000_000n },
  }
  const deps = { network: networks.sepolia, connect: () => connectChain(rpcUrl), simulate: simulateCalls(rpcUrl) }
  await expect(findPlacementChainFacts({ ...deps, timeoutMs: 50 }, query)).rejects.toMatchObject({
    errorType: 'ServiceUnavailable',
    data: { dependency: 'chain', retryable: true },
  })
  silent.closeAllConnections()
  silent.close()
})
