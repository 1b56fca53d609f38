import { z } from '@hono/zod-openapi'
import type { JsonObject } from '#shared/http/errors.ts'

/** Why an order is where it is. Further codes may come; there is none that means "unknown". */
export const diagnosisCodes = [
  // it ended as its owner wanted
  'fulfilled',
  'cancelled_off_chain',
  'cancelled_on_chain',
  'replaced',
  // it is on its way
  'not_yet_valid',
  'waiting_for_auction',
  'in_auction',
  'executing',
  'partially_filled',
  // it is in the auctions and not filled
  'out_of_market',
  'no_solution',
  'no_route',
  'too_small',
  'transfer_fails',
  'outbid',
  'settlement_failed',
  // it is not in the auctions
  'presignature_pending',
  'invalid_signature',
  'insufficient_balance',
  'insufficient_allowance',
  'hook_reverts',
  'too_much_gas',
  'missing_native_price',
  'unsupported_token',
  'banned_user',
  'dust_order',
  'expires_too_soon',
  'no_auction',
  'placement_error',
  'refunded',
  'excluded',
] as const

export type DiagnosisCode = (typeof diagnosisCodes)[number]

/** ok: filled, or ended by its owner · info: wait · warning: may not fill as it is · error: does not fill as it is */
export type DiagnosisSeverity = 'ok' | 'info' | 'warning' | 'error'

export type Diagnosis = {
  code: DiagnosisCode
  severity: DiagnosisSeverity
  /** since when this holds; null when that is not recorded */
  since: Date | null
  /** one sentence */
  message: string
  /** what the owner can do; null when there is nothing to do */
  suggestion: string | null
  data: JsonObject
}

export const diagnosisSchema = z
  .object({
    code: z.enum(diagnosisCodes).openapi({ description: 'further codes may come' }),
    severity: z.enum(['ok', 'info', 'warning', 'error']).openapi({
      description:
        'ok: filled, or ended by its owner · info: wait · warning: may not fill as it is · error: does not fill as it is',
    }),
    since: z.iso.datetime().nullable().openapi({ description: 'null: not recorded' }),
    message: z.string().openapi({ description: 'one sentence for people; may change' }),
    suggestion: z.string().nullable().openapi({ description: 'what the owner can do; null: nothing' }),
    data: z.record(z.string(), z.unknown()).openapi({
      description:
        'the numbers behind it: needed and available (atoms), limitPrice and marketPrice (buy token atoms per sell token ' +
        'atom; with networkFee: what solvers offer for the rest after all fees), gapBps (1/10000 of the market), auctions (ids of the first and the last one with the order), …',
    }),
  })
  .openapi('Diagnosis')

export const toDiagnosisResponse = ({ since, ...diagnosis }: Diagnosis): z.infer<typeof diagnosisSchema> => ({
  ...diagnosis,
  since: since?.toISOString() ?? null,
})
