import { type Address, hashTypedData } from 'viem'
import type { Signer } from '#schema/queries/fragments/useNonce.ts'
import { type AuthorizeDeps, checkSignature, type SignedPart } from './checkSignature.ts'
import { type ManageAction, maxSecondsAhead, messageTypes } from './typedData.ts'

export type SubscribeMessage = {
  channel: string
  target: string
  types: readonly string[]
  networks: readonly number[]
}

/** Checks that the account signed a `Subscribe` message. The nonce is consumed by the write. */
export const authorizeSubscribe = async (
  deps: AuthorizeDeps,
  account: Address,
  signed: SignedPart,
  message: SubscribeMessage,
): Promise<Signer> => {
  const { nonce, deadline } = signed
  return checkSignature(deps, account, signed, maxSecondsAhead.write, (domain) =>
    hashTypedData({
      domain,
      types: messageTypes,
      primaryType: 'Subscribe',
      message: { account, ...message, networks: message.networks.map(BigInt), nonce, deadline: BigInt(deadline) },
    }),
  )
}

/**
 * Checks that the account signed a `ManageSubscriptions` message.
 * @param subscription its id; empty for a list
 */
export const authorizeManage = async (
  deps: AuthorizeDeps,
  account: Address,
  signed: SignedPart,
  { action, subscription }: { action: ManageAction; subscription: string },
): Promise<Signer> => {
  const { nonce, deadline } = signed
  const secondsAhead = action === 'list' ? maxSecondsAhead.list : maxSecondsAhead.write
  return checkSignature(deps, account, signed, secondsAhead, (domain) =>
    hashTypedData({
      domain,
      types: messageTypes,
      primaryType: 'ManageSubscriptions',
      message: { account, action, subscription, nonce, deadline: BigInt(deadline) },
    }),
  )
}
