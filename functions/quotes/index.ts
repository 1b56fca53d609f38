import type { Address } from 'viem'
import { z } from 'zod'
import { connectDatabase } from '#schema/client.ts'
import { selectPriceSamples } from '#schema/queries/markets/priceSamples.ts'
import { selectAppData } from '#schema/queries/orders/appData.ts'
import { insertQuote } from '#schema/queries/quotes/quotes.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { selectPopularTokens } from '#schema/queries/tokens/popularTokens.ts'
import { selectTokenMetadata } from '#schema/queries/tokens/tokenMetadata.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { connectNetworks } from '#shared/chain/connectNetworks.ts'
import { findPaidGasPrices } from '#shared/chain/findPaidGasPrices.ts'
import { feeSettings, readFeeRules } from '#shared/fees/feeSettings.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import type { NetworkName } from '#shared/networks.ts'
import { findSlippageRoom } from '#shared/slippage/findSlippageRoom.ts'
import { readSlippageBounds, slippageSettings } from '#shared/slippage/slippageSettings.ts'
import { connectSolvers, solverListSchema } from '#shared/solvers/solverList.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { addressListSchema } from '#shared/validation/addressList.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkSchema } from '#shared/validation/network.ts'
import { createAdmission } from './createAdmission.ts'
import { createEarlierPrices } from './estimates/createEarlierPrices.ts'
import { findGasPrice } from './estimates/findGasPrice.ts'
import { getNativePrice } from './getNativePrice.ts'
import { postExecutablePrice } from './postExecutablePrice.ts'
import { postQuote, type QuoteDeps } from './postQuote.ts'
import { postQuoteStream } from './postQuoteStream.ts'
import { getTokenMetadata } from './tokens/getTokenMetadata.ts'
import { getTokens } from './tokens/getTokens.ts'

/** Stored prices are wei per so many atoms. */
const nativePriceUnit = 1e18

/** Loose, so that the service bindings pass through: `connectSolvers` finds them by the names in `SOLVERS`. */
const settings = z
  .looseObject({
    NETWORK: networkSchema,
    DATABASE_URL: databaseUrlSchema,
    RPC_URL: z.url({ protocol: /^https?$/ }),
    SOLVERS: solverListSchema,
    BANNED_USERS: addressListSchema.default([]),
    UNSUPPORTED_TOKENS: addressListSchema.default([]),
    LISTED_TOKENS: addressListSchema.default([]),
    ...feeSettings,
    ...slippageSettings,
    QUOTE_TIMEOUT_MS: z.coerce.number().int().positive().max(20_000).default(5_000),
  })
  .transform((env, context) => ({
    ...env,
    feeRules: readFeeRules(env, context),
    slippageBounds: readSlippageBounds(env, context),
  }))
  .transform((env, context) => {
    try {
      return { ...env, solvers: connectSolvers(env.SOLVERS, env) }
    } catch (error) {
      const message = error instanceof Error ? error.message : 'a solver cannot be reached'
      context.addIssue({ code: 'custom', path: ['SOLVERS'], message })
      return z.NEVER
    }
  })
  .transform((env) => ({
    network: env.NETWORK,
    database: connectDatabase(env.DATABASE_URL),
    rpcUrl: env.RPC_URL,
    bannedUsers: new Set(env.BANNED_USERS),
    unsupportedTokens: new Set(env.UNSUPPORTED_TOKENS),
    listedTokens: env.LISTED_TOKENS,
    feeRules: env.feeRules,
    slippageBounds: env.slippageBounds,
    timeoutMs: env.QUOTE_TIMEOUT_MS,
    solvers: env.solvers,
  }))

export default createWorker({
  settings,
  routes: ({ network, rpcUrl, bannedUsers, feeRules, timeoutMs, database, solvers, ...lists }) => {
    const { unsupportedTokens, listedTokens, slippageBounds: bounds } = lists
    const askNetwork = connectNetworks(new Map([[network.name as NetworkName, rpcUrl]]))
    const selectPrice = async (token: Address) => {
      const { nativePrice } = await selectTokenMetadata(database, network.chainId, token)
      return nativePrice === null ? undefined : Number(nativePrice) / nativePriceUnit
    }
    const prices = {
      solvers,
      network,
      timeoutMs,
      now: Date.now,
      earlierPrices: createEarlierPrices(selectPrice),
      admit: createAdmission(timeoutMs),
    }
    const slippage = {
      selectPriceSamples: selectPriceSamples.bind(undefined, database),
      findPaidGasPrices: () => findPaidGasPrices(connectChain(rpcUrl)),
      now: Date.now,
      bounds,
    }
    const quotes: QuoteDeps = {
      ...prices,
      bannedUsers,
      unsupportedTokens,
      feeRules,
      simulate: simulateCalls(rpcUrl),
      balanceLayouts: new Map(),
      tokenFaults: new Map(),
      findGasPrice: (limitMs) => findGasPrice(connectChain(rpcUrl), limitMs),
      findSlippageRoom: (pair) => findSlippageRoom(slippage, network, pair),
      findDocument: (hash) => selectAppData(database, hash),
      insertQuote: (quote) => insertQuote(database, quote),
    }
    return [
      postQuote(quotes),
      postQuoteStream(quotes),
      postExecutablePrice(quotes),
      getNativePrice(prices),
      getTokenMetadata({
        network,
        selectTokenMetadata: (token) => selectTokenMetadata(database, network.chainId, token),
      }),
      getTokens({
        network,
        listedTokens,
        unsupportedTokens,
        selectPopularTokens: (limit) => selectPopularTokens(database, network.chainId, limit),
        findTokenDetails: (tokens) => askNetwork(network, (chain) => findTokenDetails(chain, network, tokens)),
      }),
    ]
  },
  probes: ({ network, rpcUrl, database }) => ({
    database: () => checkDatabase(database),
    rpc: async () => {
      const chainId = await connectChain(rpcUrl).getChainId()
      if (chainId !== network.chainId) throw new Error(`the node serves chain ${chainId}`)
    },
  }),
})
