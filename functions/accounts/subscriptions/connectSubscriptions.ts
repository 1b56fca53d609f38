import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  deleteOwnSubscription as deleteOwn,
  useSubscription,
} from '#schema/queries/notifications/changeSubscription.ts'
import { selectChatAccounts, unlinkChat } from '#schema/queries/notifications/chatLinks.ts'
import { confirmSubscription, selectUnconfirmed } from '#schema/queries/notifications/confirmSubscription.ts'
import { replayDeliveries } from '#schema/queries/notifications/deliveries.ts'
import { takeMailSlot } from '#schema/queries/notifications/signedNonces.ts'
import { linkChat, unsubscribe } from '#schema/queries/notifications/subscriptionLinks.ts'
import { selectSubscriptions } from '#schema/queries/notifications/subscriptions.ts'
import { upsertSubscription } from '#schema/queries/notifications/upsertSubscription.ts'
import type { AskNetwork } from '#shared/chain/connectNetworks.ts'
import { ApiError } from '#shared/http/errors.ts'
import { type Network, type NetworkName, networks } from '#shared/networks.ts'
import { isWalletSignature, type SignatureClaim } from '#shared/signing/isWalletSignature.ts'
import type { AuthorizeDeps } from '../authorization/checkSignature.ts'
import type { WithBackend } from '../connectBackend.ts'
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
  askNetwork: AskNetwork,
  withBackend: WithBackend,
): OpenAPIHono[] => {
  const { SERVICE_NAME: serviceName, RPC_URLS, NOTIFIER: notifier } = settings
  const offer = buildOffer(settings)
  const servedNetworks = Object.values<Network>(networks).filter(({ name }) => RPC_URLS.has(name as NetworkName))
  const authorizeDeps: AuthorizeDeps = {
    serviceName,
    isServed: (network) => servedNetworks.includes(network),
    // no signature check while the backend is off
    isWalletSignature: withBackend(async (_, network: Network, claim: SignatureClaim) => {
      findNotifier(notifier)
      return askNetwork(network, (chain) => isWalletSignature(chain, claim))
    }),
    now: Date.now,
  }
  return [
    getChannels({
      serviceName,
      servedNetworks,
      findOffer: withBackend(async () => {
        findNotifier(notifier)
        return offer
      }),
    }),
    postSubscription({
      ...authorizeDeps,
      offer,
      servedNetworks,
      targetRules: { allowPrivate: settings.ALLOW_PRIVATE_TARGETS },
      upsertSubscription: withBackend(upsertSubscription),
      requestConfirmation: (subscription) =>
        requestConfirmation(
          {
            telegramBot: offer.telegramBot,
            takeMailSlot: withBackend(takeMailSlot),
            requestChallenge: (id) => requestChallenge(findNotifier(notifier), id),
          },
          subscription,
        ),
    }),
    getSubscriptions({ ...authorizeDeps, selectSubscriptions: withBackend(selectSubscriptions) }),
    deleteSubscription({ ...authorizeDeps, deleteSubscription: withBackend(deleteOwn) }),
    postSubscriptionTest({
      ...authorizeDeps,
      useSubscription: withBackend(useSubscription),
      requestTest: (id) => requestTest(findNotifier(notifier), id),
    }),
    postSubscriptionReplay({
      ...authorizeDeps,
      useSubscription: withBackend(useSubscription),
      replayDeliveries: withBackend((database, signer, id, limit) =>
        replayDeliveries(database, signer, id, { limit, now: new Date() }),
      ),
    }),
    getConfirmation({ serviceName, selectUnconfirmed: withBackend(selectUnconfirmed) }),
    postConfirmation({ confirmSubscription: withBackend(confirmSubscription) }),
    getUnsubscription({ serviceName }),
    postUnsubscription({ unsubscribe: withBackend(unsubscribe) }),
    postTelegramUpdate({
      serviceName,
      secret: settings.TELEGRAM_WEBHOOK_SECRET,
      linkChat: withBackend(linkChat),
      selectChatAccounts: withBackend(selectChatAccounts),
      unlinkChat: withBackend(unlinkChat),
    }),
  ]
}

const findNotifier = (notifier: Notifier | undefined): Notifier => {
  if (notifier) return notifier
  throw new ApiError('ServiceUnavailable', {
    description: 'notifications are not delivered by this deployment',
    data: { settings: ['NOTIFIER'] },
  })
}
