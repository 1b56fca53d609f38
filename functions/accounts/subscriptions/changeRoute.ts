import { messageResponses } from '#shared/http/messageResponses.ts'
import { nameScheme } from '../authorization/nameScheme.ts'
import { authorizationHeaderSchema } from '../authorization/readAuthorization.ts'
import { subscriptionParamsSchema } from './subscriptionParams.ts'

/** Common parts of the routes that change one subscription. */
export const changeRoute = {
  tags: ['Subscriptions'],
  request: { params: subscriptionParamsSchema, headers: authorizationHeaderSchema },
  middleware: nameScheme,
}

export const changeErrors = messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable', 'Unauthorized'], {
  NotFound: 'the account has no such subscription',
  Unauthorized: 'the message is not signed by the account, has expired, or was already used',
})
