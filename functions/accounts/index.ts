import type { Address } from 'viem'
import { connectDatabase } from '#schema/client.ts'
import { connectNetworkDatabases } from '#schema/connectNetworkDatabases.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { selectPopularTokens } from '#schema/queries/tokens/popularTokens.ts'
import { insertTokens, selectTokens } from '#schema/queries/tokens/tokens.ts'
import { cacheFor } from '#shared/cacheFor.ts'
import { connectNetworks, findServed } from '#shared/chain/connectNetworks.ts'
import { probeNetworks } from '#shared/chain/probeNetworks.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import type { Network, NetworkName } from '#shared/networks.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { findTokenFacts } from '#shared/tokens/findTokenFacts.ts'
import { maxTokens } from './balances/balanceParams.ts'
import { findHoldings } from './balances/findHoldings.ts'
import { getAddressBalances } from './balances/getAddressBalances.ts'
import { getBalanceStream } from './balances/getBalanceStream.ts'
import { getBalances } from './balances/getBalances.ts'
import { openBalanceStream } from './balances/openBalanceStream.ts'
import { connectBackend, findMissing } from './connectBackend.ts'
import { getNotifications } from './notifications/getNotifications.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { connectSubscriptions } from './subscriptions/connectSubscriptions.ts'

export default createWorker({
  errorFormat: auxiliaryFormat,
  maxBodyBytes: 64 * 1024,
  settings: settingsSchema,
  routes: (settings: Settings) => {
    const onNetwork = connectNetworks(settings.RPC_URLS)
    const findDatabase = connectBackend(settings)
    return [
      getBalances({
        findBalances: (account, tokens) => onNetwork(account.network, (chain) => findHoldings(chain, account, tokens)),
      }),
      getAddressBalances({
        findBalances: (account, tokens) => onNetwork(account.network, (chain) => findHoldings(chain, account, tokens)),
        findPopularTokens: connectPopularTokens(settings),
      }),
      getBalanceStream({
        openStream: async (account, request) => {
          findServed(settings.RPC_URLS, account.network)
          return openBalanceStream(settings, account, request)
        },
      }),
      getNotifications({
        findDatabase,
        findTokenFacts: (tokens) =>
          findTokenFacts(
            {
              isServed: ({ name }) => settings.RPC_URLS.has(name as NetworkName),
              selectTokens: (wanted) => selectTokens(findDatabase(), wanted),
              findTokenDetails: (network, addresses) =>
                onNetwork(network, (chain) => findTokenDetails(chain, network, addresses)),
              insertTokens: (found) => insertTokens(findDatabase(), found),
            },
            tokens,
          ),
      }),
      ...connectSubscriptions(settings, onNetwork, findDatabase),
    ]
  },
  probes: (settings) => ({
    ...probeNetworks(settings.RPC_URLS),
    ...(findMissing(settings).length === 0
      ? { database: () => checkDatabase(connectDatabase(settings.DATABASE_URL)) }
      : {}),
  }),
})

/** Per network: wallets are looked up often, and the most traded tokens change slowly. */
const popularTokensLifetimeMs = 60_000

const connectPopularTokens = (settings: Settings) => {
  const databaseOf = connectNetworkDatabases(settings)
  const byNetwork = new Map<number, () => Promise<Address[]>>()
  return async ({ chainId }: Network): Promise<Address[]> => {
    if (!settings.DATABASE_URL) return []
    const select = () => selectPopularTokens(databaseOf(chainId), chainId, maxTokens)
    const find = byNetwork.get(chainId) ?? cacheFor(popularTokensLifetimeMs, Date.now, select)
    byNetwork.set(chainId, find)
    return find()
  }
}
