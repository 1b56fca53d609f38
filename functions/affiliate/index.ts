import { connectDatabase } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { insertTokens } from '#schema/queries/tokens/tokens.ts'
import { connectNetworks } from '#shared/chain/connectNetworks.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { isContractSignature, isKeySignature } from '#shared/signing/isWalletSignature.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { findTradedTokens, type TradedTokensDeps } from './findTradedTokens.ts'
import { getAffiliate } from './getAffiliate.ts'
import { getAffiliateStats } from './getAffiliateStats.ts'
import { getAffiliateTypedData } from './getAffiliateTypedData.ts'
import { getRefCode } from './getRefCode.ts'
import { getTraderActivity } from './getTraderActivity.ts'
import { getTraderStats } from './getTraderStats.ts'
import { postAffiliate } from './postAffiliate.ts'
import { type Settings, settingsSchema } from './settings.ts'

export default createWorker({
  errorFormat: auxiliaryFormat,
  settings: settingsSchema,
  routes: (settings: Settings) => {
    const database = connectDatabase(settings.DATABASE_URL)
    const onNetwork = connectNetworks(settings.RPC_URLS)
    const { MAINNET_RPC_URL: mainnetUrl } = settings
    const onMainnet = mainnetUrl === undefined ? refuseContracts : connectNetworks(new Map([['mainnet', mainnetUrl]]))
    const findProgram = () => (settings.CMS_ENABLED ? database : refuse('the affiliate program is switched off'))
    const findStatistics = () => (settings.STATS_API_KEY ? database : refuse('the statistics are switched off'))
    const tokenDeps: TradedTokensDeps = {
      isServed: ({ name }) => settings.RPC_URLS.has(name as NetworkName),
      findTokenDetails: (network, tokens) => onNetwork(network, (chain) => findTokenDetails(chain, network, tokens)),
      insertTokens: (tokens) => insertTokens(database, tokens),
    }
    return [
      postAffiliate({
        serviceName: settings.AFFILIATE_SERVICE_NAME,
        terms: settings.AFFILIATE_PROGRAM,
        isWalletSignature: async (claim) =>
          isKeySignature(claim) || onMainnet(networks.mainnet, (chain) => isContractSignature(chain, claim)),
        findDatabase: findProgram,
      }),
      getAffiliateTypedData(settings.AFFILIATE_SERVICE_NAME),
      getAffiliate(findProgram),
      getRefCode(findProgram),
      getTraderStats(findStatistics),
      getAffiliateStats(findStatistics),
      getTraderActivity({
        findDatabase: findStatistics,
        findTradedTokens: (trades) => findTradedTokens(tokenDeps, trades),
      }),
    ]
  },
  probes: ({ DATABASE_URL }) => ({ database: () => checkDatabase(connectDatabase(DATABASE_URL)) }),
})

const refuseContracts = async () => refuse('contract wallets cannot register codes here: there is no MAINNET_RPC_URL')

const refuse = (description: string): never => {
  throw new ApiError('ServiceUnavailable', { description })
}
