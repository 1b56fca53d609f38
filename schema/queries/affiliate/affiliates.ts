import { eq, or } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'

export type Affiliate = typeof affiliates.$inferSelect
export type NewAffiliate = Omit<typeof affiliates.$inferInsert, 'disabledAt' | 'createdAt'>

/** Reason for refusing a registration; the first that applies. */
export type AffiliateConflict = 'wallet' | 'code' | 'signature'

/**
 * Binds a code to a wallet. Constraints of the database decide between simultaneous requests, in one round trip.
 * @returns the time of registration, or what is already taken
 */
export const insertAffiliate = async (
  database: Database,
  affiliate: NewAffiliate,
): Promise<{ createdAt: Date; conflict?: undefined } | { conflict: AffiliateConflict }> => {
  const { walletAddress, code, signedMessageHash } = affiliate
  // The second statement of the transaction reads the row that made the first one insert nothing.
  const [[inserted], rivals] = await database.batch([
    database.insert(affiliates).values(affiliate).onConflictDoNothing().returning({ createdAt: affiliates.createdAt }),
    database
      .select({ walletAddress: affiliates.walletAddress, code: affiliates.code })
      .from(affiliates)
      .where(
        or(
          eq(affiliates.walletAddress, walletAddress),
          eq(affiliates.code, code),
          eq(affiliates.signedMessageHash, signedMessageHash),
        ),
      ),
  ])
  if (inserted) return inserted
  if (rivals.some((rival) => rival.walletAddress === walletAddress)) return { conflict: 'wallet' }
  return { conflict: rivals.some((rival) => rival.code === code) ? 'code' : 'signature' }
}

export const selectAffiliate = async (database: Database, walletAddress: Address): Promise<Affiliate | undefined> => {
  const [affiliate] = await database.select().from(affiliates).where(eq(affiliates.walletAddress, walletAddress))
  return affiliate
}

/** @param code upper case */
export const selectAffiliateByCode = async (database: Database, code: string): Promise<Affiliate | undefined> => {
  const [affiliate] = await database.select().from(affiliates).where(eq(affiliates.code, code))
  return affiliate
}
