import type { DebugFacts } from '#schema/queries/debug/debugReport.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { DiagnosisCode } from './diagnosis.ts'
import { type AttemptFacts, findOwnAttempts } from './findOwnAttempts.ts'

type Event = DebugFacts['events'][number]

/** Failure that prevents a fill: a code of `describeCause`, or of an order in progress. */
export type Cause = { code: DiagnosisCode; since: Date | null; data: JsonObject; reason?: string | null }

export const toOutbid = ({ solutions }: AttemptFacts, since: Date): Cause => ({
  code: 'outbid',
  since,
  data: { auctionId: solutions.at(-1)?.auctionId ?? null },
})

export const toSettlementFailure = (facts: AttemptFacts, since: Date): Cause => {
  const failed = findOwnAttempts(facts).filter(({ outcome }) => outcome !== null && outcome !== 'success')
  const last = failed.at(-1)
  return {
    code: 'settlement_failed',
    since: last?.endedAt ?? since,
    data: {
      attempts: failed.length,
      auctionId: last?.auctionId ?? null,
      solver: last?.solver ?? null,
      outcome: last?.outcome ?? null,
    },
  }
}

/** The order is waiting for some blocks after its settlement failed. */
export const toBackOff = (facts: AttemptFacts, { createdAt, data }: Event): Cause => {
  const { outcome, auctionId } = toSettlementFailure(facts, createdAt).data
  const last: JsonObject = outcome && auctionId ? { outcome, auctionId } : {}
  return { code: 'settlement_failed', since: createdAt, data: { ...data, ...last } }
}
