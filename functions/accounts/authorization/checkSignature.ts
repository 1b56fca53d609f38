import type { Address, Hex } from 'viem'
import type { Signer } from '#schema/queries/fragments/useNonce.ts'
import { ApiError } from '#shared/http/errors.ts'
import { findNetwork, type Network } from '#shared/networks.ts'
import type { SignatureClaim } from '#shared/signing/isWalletSignature.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import type { FindDatabase } from '../connectBackend.ts'
import { domainVersion, toDomainName } from './typedData.ts'

export type AuthorizeDeps = {
  findDatabase: FindDatabase
  serviceName: string
  isServed: (network: Network) => boolean
  /** rejects with an ApiError when the network's node fails */
  isWalletSignature: (network: Network, claim: SignatureClaim) => Promise<boolean>
  /** milliseconds */
  now: () => number
}

/** Fields of every signed message. */
export type SignedPart = {
  chainId: number
  nonce: Hex
  /** Unix seconds */
  deadline: number
  signature: Hex
}

type Domain = { name: string; version: string; chainId: number }

/** @throws ApiError `Unauthorized`; `ServiceUnavailable` when the chain cannot verify the signature */
export const checkSignature = async (
  deps: AuthorizeDeps,
  account: Address,
  { chainId, deadline, signature }: SignedPart,
  secondsAhead: number,
  computeDigest: (domain: Domain) => Hex,
): Promise<Signer> => {
  const now = Math.floor(deps.now() / 1_000)
  if (deadline <= now) throw refuseSigner('the message has expired', { deadline, now })
  if (deadline > now + secondsAhead) {
    throw refuseSigner(`the deadline is more than ${secondsAhead} seconds ahead`, {
      deadline,
      now,
      max: now + secondsAhead,
    })
  }
  const network = findNetwork(String(chainId))
  if (!network || !deps.isServed(network))
    throw refuseSigner('the chain of the message is not served here', { chainId })
  const digest = computeDigest({ name: toDomainName(deps.serviceName), version: domainVersion, chainId })
  const { signer = null } = recoverSigner('eip712', digest, signature)
  if (await deps.isWalletSignature(network, { wallet: account, digest, signature }))
    return { account, signerChainId: signer === account ? 0 : chainId }
  throw refuseSigner('the account did not sign this message', { account, digest, signer })
}

const refuseSigner = (description: string, data: Record<string, string | number | null>) =>
  new ApiError('Unauthorized', { description, data })

/** The error for a correctly signed message whose nonce was used before. */
export const refuseReplay = (nonce: Hex): ApiError =>
  refuseSigner('the nonce of the message was already used', { nonce })
