import { connectNetworks, findServed } from '#shared/chain/connectNetworks.ts'
import { probeNetworks } from '#shared/chain/probeNetworks.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { findBalances } from './findBalances.ts'
import { getBalanceStream } from './getBalanceStream.ts'
import { getBalances } from './getBalances.ts'
import { openBalanceStream } from './openBalanceStream.ts'
import { type Settings, settingsSchema } from './settings.ts'

export default createWorker({
  errorFormat: auxiliaryFormat,
  settings: settingsSchema,
  routes: (settings: Settings) => {
    const askNetwork = connectNetworks(settings.RPC_URLS)
    return [
      getBalances({
        findBalances: (account, tokens) =>
          askNetwork(account.network, (chain) => findBalances(chain, account, tokens, { describe: true })),
      }),
      getBalanceStream({
        openStream: async (account, request) => {
          findServed(settings.RPC_URLS, account.network)
          return openBalanceStream(settings, account, request)
        },
      }),
    ]
  },
  probes: ({ RPC_URLS }) => probeNetworks(RPC_URLS),
})
