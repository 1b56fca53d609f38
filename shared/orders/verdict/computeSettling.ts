import type { ParsedAppData } from '../../appData/parseAppData.ts'
import type { SolverFeature } from '../../solvers/solverList.ts'
import { toBeneficiary } from '../toBeneficiary.ts'
import { type Finding, fail, pass, skip } from './finding.ts'
import { computeRequiredFeatures } from './requiredFeatures.ts'
import { computeLent } from './requiredFunds.ts'
import type { Admission, Executable, JudgedOrder, OnChain } from './verdictFacts.ts'

type Document = Pick<ParsedAppData, 'flashloan' | 'wrappers'> | null

/** The settlement contract can pay the buy token to the receiver. */
export const computePayout = ({
  order: { owner, receiver, buyToken },
  admission,
  appData,
  chain,
  executable,
}: {
  order: Pick<JudgedOrder, 'owner' | 'receiver' | 'buyToken'>
  admission: Admission
  appData: Document
  chain: OnChain<'payout'>
  /** undefined: not requested */
  executable: Executable | undefined
}): Finding => {
  if (!owner) return skip('payout', 'unknownOwner')
  const evidence = { token: buyToken, receiver: toBeneficiary({ owner, receiver }) }
  // a wrapper may allow what fails otherwise
  if (appData?.wrappers.length) return skip('payout', 'broughtByWrapper', evidence)
  const found = typeof chain === 'string' ? undefined : chain.payout
  if (found?.paid === false)
    return fail('payout', 'PayoutFails', { ...evidence, revert: found.revert ?? null }, !admission)
  if (executable && 'fault' in executable && executable.fault === 'PayoutFails') {
    return fail('payout', 'PayoutFails', { ...evidence, revert: executable.revert ?? null }, true)
  }
  if (typeof chain === 'string') return skip('payout', chain, evidence)
  return found ? pass('payout', evidence) : skip('payout', 'notTried', evidence)
}

/** A configured solver supports what the order's settlement needs beside a route. */
export const computeSupport = ({
  order,
  admission,
  appData,
  rules: { solverFeatures },
  chain,
}: {
  order: Pick<JudgedOrder, 'owner' | 'sellToken' | 'sellAmount' | 'feeAmount' | 'partiallyFillable'>
  admission: Admission
  appData: Document
  rules: {
    /** capabilities of each configured solver's driver */
    solverFeatures: readonly ReadonlySet<SolverFeature>[]
  }
  chain: OnChain<'funds'>
}): Finding => {
  const isUnknown = typeof chain === 'string' && computeLent(order, appData) > 0n
  const balance = typeof chain === 'string' ? undefined : chain.funds.balance
  const required = computeRequiredFeatures(order, isUnknown ? null : appData, balance)
  const evidence = { required }
  const isSupported = solverFeatures.some((features) => required.every((feature) => features.has(feature)))
  if (required.length > 0 && !isSupported) return fail('solvers', 'UnsupportedBySolvers', evidence, !admission)
  return isUnknown ? skip('solvers', chain, evidence) : pass('solvers', evidence)
}
