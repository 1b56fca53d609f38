import { zeroAddress } from 'viem'
import type { FundingFacts } from '#shared/funding/computeFunding.ts'
import { type FundingDeps, findFundingFacts } from '#shared/funding/findFundingFacts.ts'
import { buildHookInteractions } from '#shared/hooks/buildHookInteractions.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'

const timeoutMs = 1_500

/** Facts for an order that sells so many atoms; undefined without an owner, for a `fast` quote, and when the node gives no amounts. */
export type FindFunding = (needed: bigint) => Promise<FundingFacts | undefined>

/** Reads the owner's funds while the solvers are still working. */
export const createFundingFinder = (deps: FundingDeps, { request, appData }: PreparedRequest): FindFunding => {
  const { from: owner, sellToken, priceQuality } = request
  if (owner === zeroAddress || priceQuality === 'fast') return async () => undefined
  const preInteractions = buildHookInteractions(deps.network.hooksTrampoline, appData.hooks.pre)
  const reading = findFundingFacts(deps, { owner, sellToken, preInteractions }, AbortSignal.timeout(timeoutMs))
  // the error of a quote that fails comes first
  reading.catch(() => undefined)
  return async (needed) => (await reading)?.(needed)
}
