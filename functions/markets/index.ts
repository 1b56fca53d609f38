import { connectDatabase } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/checkDatabase.ts'
import { selectPriceSamples } from '#schema/queries/priceSamples.ts'
import { selectNewestQuote } from '#schema/queries/quotes.ts'
import { selectTokenMetadata } from '#schema/queries/tokenMetadata.ts'
import { selectAverageAprs, selectYieldPools } from '#schema/queries/yieldPools.ts'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import { connectNetworks, findServed } from '#shared/chain/connectNetworks.ts'
import { findPaidGasPrices } from '#shared/chain/findPaidGasPrices.ts'
import { probeNetworks } from '#shared/chain/probeNetworks.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import type { Network } from '#shared/networks.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { getAverageAprs } from './getAverageAprs.ts'
import { getSlippageTolerance } from './getSlippageTolerance.ts'
import { getVolatilityDetails } from './getVolatilityDetails.ts'
import { postSimulateBundle } from './postSimulateBundle.ts'
import { postYieldPools } from './postYieldPools.ts'
import { type Settings, settingsSchema } from './settings.ts'

/** room for the transactions of a bundle */
const maxBodyBytes = 256 * 1024

const worker = createWorker({
  errorFormat: auxiliaryFormat,
  maxBodyBytes,
  settings: settingsSchema,
  routes: (settings: Settings) => {
    const database = connectDatabase(settings.DATABASE_URL)
    const findRpcUrl = (network: Network) => findServed(settings.RPC_URLS, network)
    const marketDeps = {
      checkServed: findRpcUrl,
      selectPriceSamples: selectPriceSamples.bind(undefined, database),
      now: Date.now,
    }
    const askNetwork = connectNetworks(settings.RPC_URLS)
    return [
      getSlippageTolerance({
        ...marketDeps,
        bounds: settings.slippageBounds,
        findPaidGasPrices: (network) => askNetwork(network, findPaidGasPrices),
        findGasPrice: (network) => askNetwork(network, (chain) => chain.getGasPrice()),
        selectNewestQuote: selectNewestQuote.bind(undefined, database),
        selectNativePrice: async (chainId, token) => {
          const { nativePrice } = await selectTokenMetadata(database, chainId, token)
          return nativePrice === null ? undefined : Number(nativePrice) / Number(auctionPriceScale)
        },
      }),
      getVolatilityDetails(marketDeps),
      postYieldPools({ checkServed: findRpcUrl, selectYieldPools: selectYieldPools.bind(undefined, database) }),
      getAverageAprs({
        checkServed: findRpcUrl,
        selectAverageAprs: (chainId) => selectAverageAprs(database, chainId),
      }),
      postSimulateBundle({ findRpcUrl }),
    ]
  },
  probes: (settings) => ({
    ...probeNetworks(settings.RPC_URLS),
    database: () => checkDatabase(connectDatabase(settings.DATABASE_URL)),
    objects: () => armObjects(settings),
  }),
})

export default {
  ...worker,
  /** Watchdog: an object that lost its alarm starts again within a minute. */
  async scheduled(_event: unknown, env: object): Promise<void> {
    const settings = settingsSchema.safeParse(env)
    if (settings.data) await armObjects(settings.data)
    else console.error(JSON.stringify({ message: 'no prices are sampled', settings: describeFaults(settings.error) }))
  },
}

/** Sets everything going that fills the tables. */
const armObjects = async ({ SAMPLERS, COLLECTORS, RPC_URLS, YIELDS_ENABLED }: Settings): Promise<void> => {
  await Promise.all([
    ...[...RPC_URLS.keys()].map((network) => SAMPLERS.getByName(network).arm(network)),
    YIELDS_ENABLED ? COLLECTORS.getByName('yields').arm() : undefined,
  ])
}
