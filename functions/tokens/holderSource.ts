import type { Address } from 'viem'
import { z } from 'zod'
import type { Network } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/address.ts'

/** An account, in lower case, and how many atoms of the token it has. */
export type Holder = { address: Address; balance: bigint }

/** What a source says about holders; `unknown` is its word that it has none, everything else but holders is a failure. */
export type HolderOutcome =
  | { status: 'holders'; holders: Holder[] }
  | { status: 'unknown' }
  | { status: 'throttled' }
  | { status: 'failed'; reason: string }

/** Somebody who knows who holds most of a token. */
export type HolderSource = {
  name: string
  /**
   * @param token in lower case, never the native token
   * @returns never rejects
   */
  findHolders: (network: Network, token: Address) => Promise<HolderOutcome>
}

/** How many holders an answer has at most. */
export const maxHolders = 100

/** A holder as providers name one: its address in any case, atoms in decimal digits. */
export const listedHolderSchema = z.object({
  address: addressSchema,
  balance: z
    .string()
    .regex(/^\d{1,78}$/)
    .transform(BigInt)
    .refine((atoms) => atoms < 2n ** 256n),
})

/**
 * The largest holders of a list, the largest first, as exact numbers compare; of equal ones the lower address. An account
 * that is listed twice counts once, one without tokens not at all, and nobody left is `unknown`.
 */
export const toHolderOutcome = (listed: readonly Holder[]): HolderOutcome => {
  const byAddress = new Map<Address, Holder>()
  for (const holder of listed) {
    const known = byAddress.get(holder.address)
    if (holder.balance > (known?.balance ?? 0n)) byAddress.set(holder.address, holder)
  }
  const holders = [...byAddress.values()].sort(compareHolders).slice(0, maxHolders)
  return holders.length > 0 ? { status: 'holders', holders } : { status: 'unknown' }
}

const compareHolders = (a: Holder, b: Holder): number => {
  if (a.balance !== b.balance) return a.balance > b.balance ? -1 : 1
  return a.address < b.address ? -1 : 1
}
