import { z } from 'zod'
import type { ProviderAnswer } from '#shared/http/askProvider.ts'
import { type HolderOutcome, listedHolderSchema, toHolderOutcome } from './holderSource.ts'

const holdersSchema = z.array(listedHolderSchema).max(1_000)

/**
 * Reads the response of a holder provider. One malformed entry fails the whole list, because a list with a gap would look
 * complete.
 * @param listed maps the provider's body to a list with the fields of `Holder`
 */
export const readListedHolders = (answer: ProviderAnswer, listed: z.ZodType<unknown>): HolderOutcome => {
  if (answer.status === 'absent') return { status: 'unknown' }
  if (answer.status !== 'answered') return answer
  const holders = listed.pipe(holdersSchema).safeParse(answer.body)
  return holders.success ? toHolderOutcome(holders.data) : { status: 'failed', reason: 'not the documented shape' }
}
