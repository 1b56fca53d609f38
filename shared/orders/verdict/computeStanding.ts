import { maxUint256 } from '../../amounts/uint256.ts'
import { ApiError } from '../../http/errors.ts'
import { computeNextSettlementBlock } from '../computeNextSettlementBlock.ts'
import { computeOrderStatus, type StatusFacts } from '../computeOrderStatus.ts'
import { checkExpiry, checkLifetime } from '../orderChecks.ts'
import { type Finding, fail, faults, type OrderFault, pass, skip, type VerdictCheck } from './finding.ts'
import type { Admission, FailureFacts, JudgedOrder, OnChain } from './verdictFacts.ts'

/** Nothing has ended the order: neither here nor on the chain, which knows of a trade a little earlier. */
export const computeState = ({
  order,
  admission,
  inFlight,
  now,
  chain,
}: {
  order: StatusFacts & Pick<JudgedOrder, 'placementError' | 'refundTransactionHash'>
  admission: Admission
  /** a winner of an auction may be settling it */
  inFlight: boolean
  /** Unix seconds */
  now: number
  chain: OnChain<'filledAmount'>
}): Finding => {
  const status = admission ? null : computeOrderStatus(order, now)
  const filledAmount = typeof chain === 'string' ? undefined : chain.filledAmount
  const evidence = {
    placed: !admission,
    ...(status === null ? {} : { status }),
    filledAmount: filledAmount?.toString() ?? null,
  }
  if (status === 'fulfilled') return fail('state', 'OrderFullyExecuted', evidence)
  if (status === 'cancelled') return fail('state', 'AlreadyCancelled', evidence)
  const { placementError, refundTransactionHash } = order
  if (placementError) return fail('state', 'PlacementError', { ...evidence, placementError })
  if (refundTransactionHash) return fail('state', 'Refunded', { ...evidence, transaction: refundTransactionHash })
  if (inFlight) return fail('state', 'InFlight', evidence)
  if (filledAmount === maxUint256) return fail('state', 'AlreadyCancelled', evidence)
  const exact = order.kind === 'sell' ? order.sellAmount : order.buyAmount
  if (filledAmount !== undefined && filledAmount > 0n && filledAmount >= exact) {
    return fail('state', 'OrderFullyExecuted', evidence)
  }
  return pass('state', evidence)
}

export const computeExpiry = ({
  order,
  now,
  minValiditySeconds,
}: {
  order: Pick<JudgedOrder, 'validTo' | 'userValidTo'>
  now: number
  /** minimum remaining validity to enter an auction */
  minValiditySeconds: number
}): Finding => {
  const validTo = order.userValidTo ?? order.validTo
  return toFinding('expiry', () => {
    checkExpiry(validTo, now, minValiditySeconds)
    return { validTo, now }
  })
}

export const computeTime = ({
  order,
  admission,
  now,
}: {
  order: Pick<JudgedOrder, 'validFrom' | 'validTo' | 'signingScheme'>
  admission: Admission
  now: number
}): Finding => {
  const { validFrom, validTo } = order
  const rules = toFinding('time', () => {
    if (admission) checkLifetime(order, now)
    return { validFrom, validTo, now }
  })
  if (rules.status !== 'pass' || validFrom === null || validFrom <= now) return rules
  return fail('time', 'NotYetValid', { validFrom, now })
}

/** An order because of which settlements failed waits for 1, 2, 4, … blocks, so that it costs solvers little. */
export const computeSettlement = ({
  failures: failed,
  block,
}: {
  failures: FailureFacts | null
  /** of the auction, or of the simulation; a string: why it is unknown */
  block: number | string
}): Finding => {
  const { failures, lastBlock, solvers } = failed ?? { failures: 0, lastBlock: 0 }
  if (failures === 0) return pass('settlement', { failures })
  const nextBlock = computeNextSettlementBlock(failures, lastBlock)
  const evidence = { failures, lastBlock, nextBlock, ...(solvers ? { solvers: [...solvers] } : {}) }
  if (typeof block === 'string') return skip('settlement', block, evidence)
  return block < nextBlock ? fail('settlement', 'SettlementFailed', evidence) : pass('settlement', evidence)
}

/** A rule of order placement as a finding: the error it throws is the reason, its data the evidence. */
const toFinding = (check: VerdictCheck, rule: () => Finding['evidence']): Finding => {
  try {
    return pass(check, rule())
  } catch (error) {
    if (error instanceof ApiError && error.errorType in faults)
      return fail(check, error.errorType as OrderFault, error.data ?? {})
    throw error
  }
}
