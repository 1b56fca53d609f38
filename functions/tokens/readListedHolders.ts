import { z } from 'zod'
import type { ProviderAnswer } from '#shared/providers/askProvider.ts'
import { type HolderOutcome, listedHolderSchema, toHolderOutcome } from './holderSource.ts'

const holdersSchema = z.array(listedHolderSchema).max(1_000)

/**
 * What an answer of a provider of holders means. One malformed entry spoils all: a list with a gap would look complete.
 * @param listed finds the provider's list in the body and names its fields as ours
 */
export const readListedHolders = (answer: ProviderAnswer, listed: z.ZodType<unknown>): HolderOutcome => {
  if (answer.status === 'absent') return { status: 'unknown' }
  if (answer.status !== 'answered') return answer
  const holders = listed.pipe(holdersSchema).safeParse(answer.body)
  return holders.success ? toHolderOutcome(holders.data) : { status: 'failed', reason: 'not the documented shape' }
}
