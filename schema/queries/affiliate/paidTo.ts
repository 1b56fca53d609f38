import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { affiliatePayouts } from '../../tables/affiliate/affiliatePayouts.ts'

/** An amount of US dollars as whole millionths. */
export const inMillionths = (amount: SQL): SQL => sql`coalesce(trunc(${amount} * 1000000), 0)`

/** Payouts to a wallet, millionths of a US dollar. */
export const paidTo = (wallet: Address, role: 'affiliate' | 'trader'): SQL =>
  inMillionths(sql`(select sum(amount) from ${affiliatePayouts}
    where wallet_address = ${sql.param(wallet, affiliatePayouts.walletAddress)} and role = ${role})`)
