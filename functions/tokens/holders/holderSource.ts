import type { Address } from 'viem'
import { z } from 'zod'
import type { Network } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'

/** An account, in lower case, and its balance in atoms. */
export type Holder = { address: Address; balance: bigint }

/** Result of a holder source; `unknown`: it has no holders of the token; `throttled` and `failed` are failures. */
export type HolderOutcome =
  | { status: 'holders'; holders: Holder[] }
  | { status: 'unknown' }
  | { status: 'throttled' }
  | { status: 'failed'; reason: string }

/** A source of the largest holders of a token. */
export type HolderSource = {
  name: string
  /**
   * @param token in lower case, never the native token
   * @returns never rejects
   */
  findHolders: (network: Network, token: Address) => Promise<HolderOutcome>
}

/** Maximum holders in a response. */
export const maxHolders = 100

/** A holder in a provider's list: address in any case, atoms in decimal digits. */
export const listedHolderSchema = z.object({
  address: addressSchema,
  balance: z
    .string()
    .regex(/^\d{1,78}$/)
    .transform(BigInt)
    .refine((atoms) => atoms < 2n ** 256n),
})

/**
 * Sorts the largest holders of a list by exact balance, descending, then by address. Duplicate accounts count once,
 * empty ones not at all; an empty result is `unknown`.
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
