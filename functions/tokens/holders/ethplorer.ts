import { z } from 'zod'
import { requestProvider } from '#shared/http/requestProvider.ts'
import type { NetworkName } from '#shared/networks.ts'
import { type HolderSource, maxHolders } from './holderSource.ts'
import { readListedHolders } from './readListedHolders.ts'

/** `rawBalance` is exact, `balance` is a float. */
const responseSchema = z
  .object({ holders: z.array(z.object({ address: z.unknown(), rawBalance: z.unknown() })) })
  .transform(({ holders }) => holders.map(({ address, rawBalance }) => ({ address, balance: rawBalance })))

/**
 * Holders by Ethplorer, which has one host per network.
 * @param urls of the supported networks
 */
export const ethplorer = ({
  urls,
  apiKey,
}: {
  urls: ReadonlyMap<NetworkName, string>
  apiKey: string
}): HolderSource => ({
  name: 'ethplorer',
  findHolders: async (network, token) => {
    const url = urls.get(network.name as NetworkName)
    if (!url) return { status: 'unknown' }
    const query = new URLSearchParams({ apiKey, limit: String(maxHolders) })
    const response = await requestProvider(new Request(`${url}/getTopTokenHolders/${token}?${query}`))
    return readListedHolders(response, responseSchema)
  },
})
