import type { Address } from 'viem'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { NetworkName } from '#shared/networks.ts'
import type { Settings } from '../settings.ts'
import type { Account } from './findAccountBalances.ts'
import type { BalanceStreamRefusal, BalanceStreamRequest } from './getBalanceStream.ts'

/** JSON body of a stream request to the watch of an account; `watch` is its name. */
export type WatchRequest = BalanceStreamRequest & {
  watch: string
  network: NetworkName
  account: Address
}

/** Limits shared by all listeners of an account; the others are per client. */
const sharedLimits: readonly BalanceStreamRefusal['limit'][] = ['streamsPerAccount', 'tokensPerAccount']

/**
 * Requests a stream from the watch of an account. All listeners share one watch while it has room. A client that finds it full
 * gets a watch of its own with the same limits, so that other clients cannot exhaust its capacity.
 * @throws ApiError `ServiceUnavailable` when the watch fails
 */
export const openBalanceStream = async (
  { WATCHES }: Pick<Settings, 'WATCHES'>,
  { network, address }: Account,
  request: BalanceStreamRequest,
): Promise<ReadableStream | BalanceStreamRefusal> => {
  const openAt = async (watch: string): Promise<ReadableStream | BalanceStreamRefusal> => {
    const body: WatchRequest = { ...request, watch, network: network.name as NetworkName, account: address }
    const response = await WATCHES.getByName(watch).fetch(
      new Request('http://watch/', { method: 'POST', body: JSON.stringify(body) }),
    )
    if (response.ok && response.body) return response.body
    return (await response.json()) as BalanceStreamRefusal
  }
  const shared = `${network.name}:${address}`
  try {
    const opened = await openAt(shared)
    if (opened instanceof ReadableStream || !sharedLimits.includes(opened.limit)) return opened
    return await openAt(`${shared}:${request.client}`)
  } catch (error) {
    throw new ApiError('ServiceUnavailable', { context: { watch: network.name, cause: describeError(error) } })
  }
}
