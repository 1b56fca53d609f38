import { z } from 'zod'
import { findNetwork } from '../networks.ts'

/** The setting `NETWORK`: a name, alias or chain id of `shared/networks.ts`. */
export const networkSchema = z.string().transform((segment, context) => {
  const network = findNetwork(segment)
  if (network) return network
  context.addIssue({ code: 'custom', message: 'a name, alias or chain id of shared/networks.ts' })
  return z.NEVER
})
