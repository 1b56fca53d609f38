import { type Address, type Hex, slice, zeroAddress } from 'viem'
import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import type { Network } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { OrderFill } from '../fills/buildFill.ts'
import { ignoreOverflow } from '../fills/ignoreOverflow.ts'
import { EngineFault, type EngineJitOrder } from './engineApi.ts'

const ownerBytes = 20

/**
 * The fill of a just-in-time order. It trades exactly at its signed limit, as in the public system.
 * @param executedAmount its exact side
 * @throws EngineFault when the amount or the signature is invalid
 */
export const buildJitFill = (
  jit: EngineJitOrder,
  executedAmount: bigint,
  { chainId, settlementContract }: Pick<Network, 'chainId' | 'settlementContract'>,
): OrderFill => {
  const { kind, sellAmount, buyAmount, partiallyFillable } = jit
  const exact = kind === 'sell' ? sellAmount : buyAmount
  const isWhole = executedAmount === exact
  if (
    executedAmount === 0n ||
    executedAmount > exact ||
    !(partiallyFillable || isWhole) ||
    sellAmount * buyAmount === 0n
  )
    throw new EngineFault({ kind: 'invalidExecutedAmount' })
  const other = ignoreOverflow(() =>
    kind === 'sell'
      ? mulDivCeil(executedAmount, buyAmount, sellAmount)
      : mulDivFloor(executedAmount, sellAmount, buyAmount),
  )
  if (!other) throw new EngineFault({ kind: 'invalidExecutedAmount' })
  const domain = computeDomainSeparator(chainId, settlementContract)
  const digest = computeOrderDigest(domain, { ...jit, appDataHash: jit.appData, feeAmount: 0n })
  const { owner, signature } = readSignature(jit, digest)
  const order: AuctionOrder = {
    ...jit,
    ...{ owner, signature, uid: packOrderUid(digest, owner, jit.validTo) },
    receiver: jit.receiver === zeroAddress ? null : jit.receiver,
    ...{ feeAmount: 0n, executed: 0n, created: 0, class: 'limit' },
    ...{ protocolFees: [], preInteractions: [], postInteractions: [] },
  }
  const [executedSell, executedBuy] = kind === 'sell' ? [executedAmount, other] : [other, executedAmount]
  return { order, executedSell, executedBuy, score: 0n }
}

const readSignature = (
  { signingScheme, signature }: EngineJitOrder,
  digest: Hex,
): { owner: Address; signature: Hex } => {
  const invalid = () =>
    new EngineFault({ kind: 'driverError', reason: 'the signature of a just-in-time order is invalid' })
  if (signingScheme === 'eip712' || signingScheme === 'ethsign') {
    const { signer } = recoverSigner(signingScheme, digest, signature)
    if (!signer) throw invalid()
    return { owner: signer, signature }
  }
  const bytes = (signature.length - 2) / 2
  if (bytes < ownerBytes) throw invalid()
  return {
    owner: slice(signature, 0, ownerBytes),
    signature: bytes > ownerBytes ? slice(signature, ownerBytes) : '0x',
  }
}
