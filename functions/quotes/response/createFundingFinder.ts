import { zeroAddress } from 'viem'
import { computeFunding } from '#shared/funding/computeFunding.ts'
import { type FundingDeps, findFundingFacts } from '#shared/funding/findFundingFacts.ts'
import type { Funding } from '#shared/funding/fundingSchema.ts'
import { buildHookInteractions } from '#shared/hooks/buildHookInteractions.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import type { Signable } from './toSignable.ts'

const timeoutMs = 1_500

/**
 * Reads the owner's funds while the solvers are still working.
 * @returns the funding of the order to sign; null without an owner, for a `fast` quote, and when the node gives no amounts
 */
export const createFundingFinder = (
  deps: FundingDeps,
  { request, appData }: PreparedRequest,
): ((signable: Signable | null) => Promise<Funding | null>) => {
  const { from: owner, sellToken, signingScheme, priceQuality } = request
  if (owner === zeroAddress || priceQuality === 'fast') return async () => null
  const preInteractions = buildHookInteractions(deps.network.hooksTrampoline, appData.hooks.pre)
  const reading = findFundingFacts(deps, { owner, sellToken, preInteractions }, AbortSignal.timeout(timeoutMs))
  // the error of a quote that fails comes first
  reading.catch(() => undefined)
  return async (signable) => {
    const findFacts = signable && (await reading)
    if (!findFacts) return null
    const { order, orderUid } = signable
    const needed = BigInt(order.sellAmount)
    const funded = { owner, sellToken, needed, signingScheme, validTo: order.validTo, uid: orderUid as `0x${string}` }
    return computeFunding(deps.network, funded, await findFacts(needed))
  }
}
