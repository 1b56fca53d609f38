import { z } from '@hono/zod-openapi'
import type { JsonObject } from '#shared/jsonObject.ts'
import { fillableNowSchema } from '../simulation/fillableNow.ts'

/** Diagnosis codes. Further codes may be added; there is no code for "unknown". */
export const diagnosisCodes = [
  // ended as its owner intended
  'fulfilled',
  'cancelled_off_chain',
  'cancelled_on_chain',
  'replaced',
  // in progress
  'not_yet_valid',
  'waiting_for_auction',
  'in_auction',
  'executing',
  'partially_filled',
  // in the auctions and not filled
  'out_of_market',
  'no_solution',
  'no_route',
  'too_small',
  'transfer_fails',
  'payout_fails',
  'settlement_reverts',
  'unsupported_by_solvers',
  'outbid',
  'settlement_failed',
  // not in the auctions
  'presignature_pending',
  'invalid_signature',
  'insufficient_balance',
  'insufficient_allowance',
  'hook_reverts',
  'too_much_gas',
  'missing_native_price',
  'paused',
  'unsupported_token',
  'banned_user',
  'dust_order',
  'auction_full',
  'expires_too_soon',
  'no_auction',
  'placement_error',
  'refunded',
  'excluded',
] as const

export type DiagnosisCode = (typeof diagnosisCodes)[number]

/** ok: filled, or ended by its owner · info: wait · warning: may not fill unchanged · error: cannot fill unchanged */
export type DiagnosisSeverity = 'ok' | 'info' | 'warning' | 'error'

export type Diagnosis = {
  code: DiagnosisCode
  severity: DiagnosisSeverity
  /** since when this holds; null when not recorded */
  since: Date | null
  /** one sentence */
  message: string
  /** action for the owner; null without one */
  suggestion: string | null
  data: JsonObject
}

export const diagnosisSchema = z
  .object({
    code: z.enum(diagnosisCodes).openapi({ description: 'further codes may be added' }),
    severity: z.enum(['ok', 'info', 'warning', 'error']).openapi({
      description:
        'ok: filled, or ended by its owner · info: wait · warning: may not fill unchanged · error: cannot fill unchanged',
    }),
    since: z.iso.datetime().nullable().openapi({ description: 'null: not recorded' }),
    message: z
      .string()
      .openapi({ description: 'one sentence, and a second one if hooks fail; its wording may change' }),
    fillableNow: fillableNowSchema.optional(),
    suggestion: z.string().nullable().openapi({ description: 'action for the owner; null: none' }),
    data: z.record(z.string(), z.unknown()).openapi({
      description:
        'the underlying numbers: needed and available (atoms), limitPrice (buy token atoms per sell token atom), marketPrice ' +
        '(offer of solvers for the remainder; with networkFee: after all fees, the network fee at the price of the auction `feeAuctionId` where that differs), gapBps (distance of the limit to it, 1/10000), ' +
        'midPrice and midGapBps (the same by native prices, before any fee and without depth), auctions (ids of the first and the last auction with the order), refusedBy (solvers whose drivers cannot read the order, with their reasons), failingHooks (hooks that fail in the newest ' +
        'fill or a simulation, which stops no trade), …',
    }),
  })
  .openapi('Diagnosis')

export const toDiagnosisResponse = ({ since, ...diagnosis }: Diagnosis): z.infer<typeof diagnosisSchema> => ({
  ...diagnosis,
  since: since?.toISOString() ?? null,
})
