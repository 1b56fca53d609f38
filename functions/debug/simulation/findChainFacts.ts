import { SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import type { OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { findFactsOfTwoBlocks } from '#shared/orders/chainFacts/findOrderFacts.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import { toTransfers } from '#shared/orders/verdict/toTransfers.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'
import type { Remainder } from './computeRemainder.ts'
import type { SimulationDeps } from './dryRunDeps.ts'
import type { ReadDraft } from './readDraft.ts'

/** Time limit of all calls to the node together. */
const deadlineMs = 4_000

/**
 * Reads what the chain knows about an order in two consecutive blocks: funds, signature and transfers.
 * @returns why the chain was not read, or the call failed
 */
export const findChainFacts = async (
  { network, simulate, connect, maxGas }: SimulationDeps,
  { order, uid, digest, owner }: ReadDraft,
  remaining: Remainder,
  preInteractions: OrderInteraction[],
): Promise<{ facts: ChainFacts; after: ChainFacts | undefined } | string> => {
  if (!owner) return 'unknownOwner'
  if (!uid || !digest) return 'unknownAppData'
  const { signingScheme, signature, sellToken } = order
  const query = {
    uid,
    digest,
    owner,
    sellToken,
    preInteractions,
    contractSignature: signingScheme === 'eip1271' ? signature : undefined,
    transfers: toTransfers({ ...order, ...remaining }),
    payout: { buyToken: order.buyToken, beneficiary: toBeneficiary({ ...order, owner }), amount: remaining.buyAmount },
    maxGas,
  }
  try {
    return await findFactsOfTwoBlocks({ network, simulate, connect }, query, AbortSignal.timeout(deadlineMs))
  } catch (error) {
    if (error instanceof SimulationError) return error.reason
    throw error
  }
}
