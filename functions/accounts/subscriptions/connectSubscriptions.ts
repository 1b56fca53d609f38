import type { OpenAPIHono } from '@hono/zod-openapi'
import type { OnNetwork } from '#shared/chain/connectNetworks.ts'
import { ApiError } from '#shared/http/errors.ts'
import { type Network, type NetworkName, networks } from '#shared/networks.ts'
import { isWalletSignature } from '#shared/signing/isWalletSignature.ts'
import type { AuthorizeDeps } from '../authorization/checkSignature.ts'
import type { FindDatabase } from '../connectBackend.ts'
import { getConfirmation } from '../emailLinks/getConfirmation.ts'
import { getUnsubscription } from '../emailLinks/getUnsubscription.ts'
import { postConfirmation } from '../emailLinks/postConfirmation.ts'
import { postUnsubscription } from '../emailLinks/postUnsubscription.ts'
import type { Settings } from '../settings.ts'
import { buildOffer } from './buildOffer.ts'
import { deleteSubscription } from './deleteSubscription.ts'
import { getChannels } from './getChannels.ts'
import { getSubscriptions } from './getSubscriptions.ts'
import { type Notifier, requestChallenge, requestTest } from './notifierClient.ts'
import { postSubscription } from './postSubscription.ts'
import { postSubscriptionReplay } from './postSubscriptionReplay.ts'
import { postSubscriptionTest } from './postSubscriptionTest.ts'
import { postTelegramUpdate } from './postTelegramUpdate.ts'
import { requestConfirmation } from './requestConfirmation.ts'

/** The subscription routes: 503 without the backend or a notifier. */
export const connectSubscriptions = (
  settings: Settings,
  onNetwork: OnNetwork,
  findDatabase: FindDatabase,
): OpenAPIHono[] => {
  const { SERVICE_NAME: serviceName, RPC_URLS, NOTIFIER: notifier } = settings
  const offer = buildOffer(settings)
  const servedNetworks = Object.values<Network>(networks).filter(({ name }) => RPC_URLS.has(name as NetworkName))
  const authorizeDeps: AuthorizeDeps = {
    findDatabase,
    serviceName,
    isServed: (network) => servedNetworks.includes(network),
    // no signature check while the backend is off
    isWalletSignature: async (network, claim) => {
      findDatabase()
      findNotifier(notifier)
      return onNetwork(network, (chain) => isWalletSignature(chain, claim))
    },
    now: Date.now,
  }
  return [
    getChannels({
      serviceName,
      servedNetworks,
      findOffer: async () => {
        findDatabase()
        findNotifier(notifier)
        return offer
      },
    }),
    postSubscription({
      ...authorizeDeps,
      offer,
      servedNetworks,
      targetRules: { allowPrivate: settings.ALLOW_PRIVATE_TARGETS },
      requestConfirmation: (subscription) =>
        requestConfirmation(
          {
            telegramBot: offer.telegramBot,
            findDatabase,
            requestChallenge: (id) => requestChallenge(findNotifier(notifier), id),
          },
          subscription,
        ),
    }),
    getSubscriptions(authorizeDeps),
    deleteSubscription(authorizeDeps),
    postSubscriptionTest({ ...authorizeDeps, requestTest: (id) => requestTest(findNotifier(notifier), id) }),
    postSubscriptionReplay(authorizeDeps),
    getConfirmation({ serviceName, findDatabase }),
    postConfirmation(findDatabase),
    getUnsubscription({ serviceName }),
    postUnsubscription(findDatabase),
    postTelegramUpdate({ serviceName, secret: settings.TELEGRAM_WEBHOOK_SECRET, findDatabase }),
  ]
}

const findNotifier = (notifier: Notifier | undefined): Notifier => {
  if (notifier) return notifier
  throw new ApiError('ServiceUnavailable', {
    description: 'notifications are not delivered by this deployment',
    data: { settings: ['NOTIFIER'] },
  })
}
