import { z } from '@hono/zod-openapi'

/** EIP-712 type of the domains that clients sign with. */
export const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

export const typedDomainSchema = z.object({
  name: z.string(),
  version: z.string(),
  chainId: z.number().int(),
  verifyingContract: z.string(),
})

/** Members of an EIP-712 type. */
export const typedMembersSchema = z.array(z.object({ name: z.string(), type: z.string() }))
