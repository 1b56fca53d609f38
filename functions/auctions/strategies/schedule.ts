import type { Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { DueOrder } from '#schema/queries/strategies/selectDue.ts'
import type { StoredVerdict } from '#schema/queries/strategies/storeVerdicts.ts'
import type { VerdictData } from '#shared/strategies/conditionalOrder.ts'
import { findPartCount } from '#shared/strategies/describeConditional.ts'
import { type Evaluation, readUntil } from '#shared/strategies/evaluation.ts'

/** A part that is in the book, or why it is not. */
export type PlacedPart = { uid: Hex; validTo: number; isNew: boolean } | { refusal: string }

/** After 1, 2, 4 … blocks, at most so many, when the handler refuses; when it fails without a known reason. */
const maxWaits = { notValid: 64, partRefused: 64, failed: 1_024, exhausted: 1_024 }
/** Consecutive failures after which an order ends: weeks for one that fails without a reason. */
const maxFailures = 300
/**
 * After so many consecutive parts without a trade the next ones come after 10, 20, 40 … minutes, at most a day: each is a row of the
 * database, and a contract has parts for free.
 */
const slow = { parts: 20, seconds: 600, most: 86_400 }

type Scheduled = Pick<
  DueOrder,
  'owner' | 'hash' | 'handler' | 'staticInput' | 'failures' | 'unfilled' | 'judgedBlock' | 'partUid'
>

/** When a conditional order is evaluated next, after an evaluation at a block. */
export const schedule = (
  order: Scheduled,
  evaluation: Evaluation,
  part: PlacedPart | undefined,
  block: IndexedBlock,
): StoredVerdict => {
  const verdict = judge(order, evaluation, part, block)
  return { ...verdict, change: findChange(order, verdict) }
}

type Verdict = Omit<StoredVerdict, 'change'>

/** For the log, which writes a change that it has already no second time. */
const findChange = (order: Scheduled, { state, verdict, unfilled, partUid }: Verdict): StoredVerdict['change'] => {
  if (state === 'ended') {
    const reason =
      verdict.reason === 'finished' ? 'finished' : verdict.reason === 'removed' ? 'cancelled' : ('failed' as const)
    return { label: 'ended', reason, partCount: findPartCount(order.handler, order.staticInput) }
  }
  if (order.judgedBlock === null || (partUid !== null && order.partUid === null)) return { label: 'opened' }
  if (!verdict.isSlowed) return null
  return { label: 'slowed', isRepeated: order.unfilled <= slow.parts && unfilled > slow.parts }
}

const judge = (
  order: Scheduled,
  evaluation: Evaluation,
  part: PlacedPart | undefined,
  block: IndexedBlock,
): Verdict => {
  const { owner, hash, failures, unfilled, judgedBlock } = order
  const base = {
    ...{ owner, hash, state: 'open' as const, nextBlock: block.number + 1, nextTime: 0 },
    ...{ failures: 0, unfilled, partUid: null, judgedBlock },
  }
  if (evaluation.reason === 'partPlaced') {
    if (part && 'uid' in part) return { ...base, ...schedulePart(part, unfilled, block) }
    return { ...base, ...backOff('partRefused', failures, block), verdict: toRefusal(part) }
  }
  const { reason, message } = evaluation
  const verdict: VerdictData = { reason, ...(message ? { message } : {}) }
  if (reason === 'finished' || reason === 'removed') return { ...base, state: 'ended', verdict }
  if (reason === 'tryNextBlock' || reason === 'partRefused') return { ...base, verdict }
  if (reason === 'notYet') {
    const until = readUntil(evaluation)
    return { ...base, nextBlock: Math.max(base.nextBlock, until.block), nextTime: until.time, verdict }
  }
  return { ...base, ...backOff(reason, failures, block), verdict }
}

/** The next part may come when this one has ended; a trade of it makes the order due earlier. */
const schedulePart = (
  { uid, validTo, isNew }: Extract<PlacedPart, { uid: Hex }>,
  unfilled: number,
  { timestamp }: IndexedBlock,
) => {
  const seconds = Math.floor(timestamp.getTime() / 1_000)
  const count = unfilled + (isNew ? 1 : 0)
  const isSlowed = count > slow.parts
  const pause = isSlowed ? Math.min(slow.seconds * 2 ** (count - slow.parts - 1), slow.most) : 0
  const verdict: VerdictData = { reason: 'partPlaced', uid, ...(isSlowed ? { isSlowed } : {}) }
  const nextTime = Math.max(validTo + 1, seconds + pause)
  return { nextTime, unfilled: count, partUid: uid, verdict }
}

const backOff = (reason: keyof typeof maxWaits, failures: number, { number }: IndexedBlock) => ({
  state: failures + 1 >= maxFailures ? ('ended' as const) : ('open' as const),
  nextBlock: number + Math.min(2 ** failures, maxWaits[reason]),
  failures: failures + 1,
})

const toRefusal = (part: PlacedPart | undefined): VerdictData => ({
  reason: 'partRefused',
  ...(part && 'refusal' in part ? { message: part.refusal } : {}),
})
