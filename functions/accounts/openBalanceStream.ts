import type { Address } from 'viem'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { NetworkName } from '#shared/networks.ts'
import type { Account } from './findBalances.ts'
import type { BalanceStreamRefusal, StreamRequest } from './getBalanceStream.ts'
import type { Settings } from './settings.ts'

/** What the watch of an account is asked for, as the JSON body of a request. */
export type WatchRequest = StreamRequest & { network: NetworkName; account: Address }

/**
 * Asks the watch of an account for a stream.
 * @throws ApiError `ServiceUnavailable` when the watch fails
 */
export const openBalanceStream = async (
  { WATCHES }: Pick<Settings, 'WATCHES'>,
  { network, address }: Account,
  request: StreamRequest,
): Promise<ReadableStream | BalanceStreamRefusal> => {
  const body: WatchRequest = { ...request, network: network.name as NetworkName, account: address }
  const watch = WATCHES.getByName(`${network.name}:${address}`)
  try {
    const response = await watch.fetch(new Request('http://watch/', { method: 'POST', body: JSON.stringify(body) }))
    if (response.ok && response.body) return response.body
    return (await response.json()) as BalanceStreamRefusal
  } catch (error) {
    throw new ApiError('ServiceUnavailable', { context: { watch: network.name, cause: describeError(error) } })
  }
}
