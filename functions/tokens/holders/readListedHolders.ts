import { z } from 'zod'
import type { ProviderResponse } from '#shared/http/requestProvider.ts'
import { type HolderOutcome, listedHolderSchema, toHolderOutcome } from './holderSource.ts'

const holdersSchema = z.array(listedHolderSchema).max(1_000)

/**
 * Reads the response of a holder provider. One malformed entry fails the whole list, because a list with a gap would
 * look complete.
 * @param listed maps the provider's body to a list with the fields of `Holder`
 */
export const readListedHolders = (response: ProviderResponse, listed: z.ZodType): HolderOutcome => {
  if (response.status === 'absent') return { status: 'unknown' }
  if (response.status !== 'answered') return response
  const holders = listed.pipe(holdersSchema).safeParse(response.body)
  return holders.success ? toHolderOutcome(holders.data) : { status: 'failed', reason: 'not the documented shape' }
}
