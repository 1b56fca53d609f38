import type { Address } from 'viem'
import { connectDatabase } from '#schema/client.ts'
import { connectNetworkDatabases } from '#schema/connectNetworkDatabases.ts'
import { selectPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { findTokenWords } from '#schema/queries/tokens/findTokenWords.ts'
import { connectNetworks, findServed } from '#shared/chain/connectNetworks.ts'
import { findPaidGasPrices } from '#shared/chain/findPaidGasPrices.ts'
import { probeNetworks } from '#shared/chain/probeNetworks.ts'
import { limitInvocations } from '#shared/connections/connectionLimit.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import type { Network } from '#shared/networks.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { getDepth } from './book/getDepth.ts'
import { getCandles } from './candles/getCandles.ts'
import { getMarkets } from './list/getMarkets.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { postSimulateBundle } from './simulation/postSimulateBundle.ts'
import { getSlippageTolerance } from './slippage/getSlippageTolerance.ts'
import { getVolatilityDetails } from './slippage/getVolatilityDetails.ts'
import { getAverageAprs } from './yields/getAverageAprs.ts'
import { postYieldPools } from './yields/postYieldPools.ts'

/** enough for the transactions of a bundle */
const maxBodyBytes = 256 * 1024

const worker = createWorker({
  errorFormat: auxiliaryFormat,
  maxBodyBytes,
  settings: settingsSchema,
  routes: (settings: Settings) => {
    const database = connectDatabase(settings.DATABASE_URL)
    const databaseOf = connectNetworkDatabases(settings)
    const findRpcUrl = (network: Network) => findServed(settings.RPC_URLS, network)
    const marketDeps = {
      checkServed: findRpcUrl,
      selectPriceSamples: (chainId: number, tokens: readonly Address[], since: number) =>
        selectPriceSamples(databaseOf(chainId), chainId, tokens, since),
      now: Date.now,
    }
    const onNetwork = connectNetworks(settings.RPC_URLS)
    return [
      getSlippageTolerance({
        ...marketDeps,
        bounds: settings.slippageBounds,
        findPaidGasPrices: (network) => onNetwork(network, findPaidGasPrices),
        findGasPrice: (network) => onNetwork(network, (chain) => chain.getGasPrice()),
        databaseOf,
      }),
      getVolatilityDetails(marketDeps),
      getCandles({
        checkServed: findRpcUrl,
        now: Date.now,
        databaseOf,
        findTokens: (network, tokens) =>
          findTokenWords({ network, database: databaseOf(network.chainId), rpcUrl: findRpcUrl(network) }, tokens),
      }),
      getMarkets({ checkServed: findRpcUrl, now: Date.now, databaseOf }),
      getDepth({ checkServed: findRpcUrl, databaseOf }),
      postYieldPools({ checkServed: findRpcUrl, database }),
      getAverageAprs({ checkServed: findRpcUrl, database }),
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
  /** Watchdog: restarts an object that lost its alarm within a minute. */
  scheduled: limitInvocations(async (_event: unknown, env: object): Promise<void> => {
    const settings = settingsSchema.safeParse(env)
    if (settings.data) await armObjects(settings.data)
    else console.error(JSON.stringify({ message: 'no prices are sampled', settings: describeFaults(settings.error) }))
  }),
}

/** Starts the samplers and collectors that fill the tables. */
const armObjects = async ({ SAMPLERS, COLLECTORS, RPC_URLS, YIELDS_ENABLED }: Settings): Promise<void> => {
  await Promise.all([
    ...[...RPC_URLS.keys()].map((network) => SAMPLERS.getByName(network).arm(network)),
    YIELDS_ENABLED ? COLLECTORS.getByName('yields').arm() : undefined,
  ])
}
