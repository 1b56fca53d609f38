import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { SignedNonce, Signer } from '#schema/queries/fragments/useNonce.ts'
import type { ChangeOutcome } from '#schema/queries/notifications/changeSubscription.ts'
import { ApiError } from '#shared/http/errors.ts'
import { authorizeManage } from './authorize.ts'
import { type AuthorizeDeps, refuseReplay } from './checkSignature.ts'
import { readAuthorization } from './readAuthorization.ts'
import type { ManageAction } from './typedData.ts'

export type SubscriptionChange = {
  account: Address
  id: string
  action: Exclude<ManageAction, 'list'>
  authorization: string | undefined
}

/**
 * Applies a signed change once. Subscriptions of other accounts are indistinguishable from missing ones: both take the same
 * statement and return the same error.
 * @returns the signer
 * @param run consumes the nonce and applies the change
 * @throws ApiError `Unauthorized`, `NotFound`
 */
export const authorizeChange = async (
  deps: AuthorizeDeps,
  { account, id, action, authorization }: SubscriptionChange,
  run: (database: Database, nonce: SignedNonce, id: string) => Promise<ChangeOutcome>,
): Promise<Signer> => {
  const signed = readAuthorization(authorization)
  const signer = await authorizeManage(deps, account, signed, { action, subscription: id })
  const nonce = { ...signer, nonce: signed.nonce, deadline: new Date(signed.deadline * 1_000) }
  const { refusal } = await run(deps.findDatabase(), nonce, id)
  if (refusal === 'replayed') throw refuseReplay(signed.nonce)
  if (refusal) throw new ApiError('NotFound', { description: 'no such subscription' })
  return signer
}
