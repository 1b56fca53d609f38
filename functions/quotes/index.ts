import { connectDatabase } from '#schema/client.ts'
import { selectPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { createPauseFinder } from '#schema/queries/pauses/createPauseFinder.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { connectNetworks } from '#shared/chain/connectNetworks.ts'
import { findDataFee } from '#shared/chain/findDataFee.ts'
import { findNextGasPrice } from '#shared/chain/findNextGasPrice.ts'
import { findPaidGasPrices } from '#shared/chain/findPaidGasPrices.ts'
import { createSharing } from '#shared/createSharing.ts'
import { buildTypicalSettlement } from '#shared/fees/buildTypicalSettlement.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import type { NetworkName } from '#shared/networks.ts'
import { findSlippageRoom } from '#shared/slippage/findSlippageRoom.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { createAdmission } from './createAdmission.ts'
import { createEarlierPrices } from './estimates/createEarlierPrices.ts'
import { findCost } from './estimates/findCost.ts'
import { rememberCost } from './estimates/rememberCost.ts'
import { getNativePrice } from './getNativePrice.ts'
import { postExecutablePrice } from './postExecutablePrice.ts'
import { postQuote, type QuoteDeps } from './postQuote.ts'
import { postQuoteStream } from './postQuoteStream.ts'
import { settingsSchema } from './settings.ts'
import { getTokenMetadata } from './tokens/getTokenMetadata.ts'
import { getTokens } from './tokens/getTokens.ts'

export default createWorker({
  settings: settingsSchema,
  routes: ({ NETWORK: network, RPC_URL: rpcUrl, feeRules, solvers, ...settings }) => {
    const database = connectDatabase(settings.DATABASE_URL)
    const timeoutMs = settings.QUOTE_TIMEOUT_MS
    const unsupportedTokens = new Set(settings.UNSUPPORTED_TOKENS)
    const requestNetwork = connectNetworks(new Map([[network.name as NetworkName, rpcUrl]]))
    const prices = {
      solvers,
      network,
      timeoutMs,
      now: Date.now,
      earlierPrices: createEarlierPrices(database, network.chainId, Date.now),
      admit: createAdmission(timeoutMs),
      findPauses: createPauseFinder({ database, chainId: network.chainId }, Date.now),
    }
    const slippage = {
      selectPriceSamples: selectPriceSamples.bind(undefined, database),
      findPaidGasPrices: () => findPaidGasPrices(connectChain(rpcUrl)),
      now: Date.now,
      bounds: settings.slippageBounds,
    }
    const typicalSettlement = buildTypicalSettlement()
    const quotes: QuoteDeps = {
      ...prices,
      database,
      bannedUsers: new Set(settings.BANNED_USERS),
      unsupportedTokens,
      minValiditySeconds: settings.MIN_VALIDITY_SECONDS,
      maxGas: settings.MAX_GAS_PER_ORDER,
      feeRules,
      simulate: simulateCalls(rpcUrl),
      connect: () => connectChain(rpcUrl),
      balanceLayouts: new Map(),
      tokenFaults: new Map(),
      findGasPrice: rememberCost(
        (limitMs) => findCost(() => findNextGasPrice(connectChain(rpcUrl)), limitMs),
        Date.now,
      ),
      findDataFee: rememberCost(
        (limitMs) => findCost(() => findDataFee(connectChain(rpcUrl), network, typicalSettlement), limitMs),
        Date.now,
      ),
      share: createSharing({ now: Date.now, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }),
      findSlippageRoom: (pair) => findSlippageRoom(slippage, network, pair),
    }
    return [
      postQuote(quotes),
      postQuoteStream(quotes),
      postExecutablePrice(quotes),
      getNativePrice(prices),
      getTokenMetadata({ database, network }),
      getTokens({
        database,
        network,
        listedTokens: settings.LISTED_TOKENS,
        unsupportedTokens,
        findTokenDetails: (tokens) => requestNetwork(network, (chain) => findTokenDetails(chain, network, tokens)),
      }),
    ]
  },
  probes: ({ NETWORK, RPC_URL, DATABASE_URL }) => ({
    database: () => checkDatabase(connectDatabase(DATABASE_URL)),
    rpc: async () => {
      const chainId = await connectChain(RPC_URL).getChainId()
      if (chainId !== NETWORK.chainId) throw new Error(`the node serves chain ${chainId}`)
    },
  }),
})
