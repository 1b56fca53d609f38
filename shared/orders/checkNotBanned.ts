import { type Address, zeroAddress } from 'viem'
import type { PartnerFee } from '../appData/parseAppData.ts'
import { ApiError } from '../http/errors.ts'

/** The accounts that an order pays, or is signed by, as far as they are known. */
export type OrderParties = {
  owner?: Address
  receiver?: Address | null
  partnerFees?: readonly Pick<PartnerFee, 'recipient'>[] | undefined
}

/**
 * Banned accounts neither trade nor are paid. Targets of hooks are left out: a hook may call any contract, and where that sends
 * tokens is not known before it runs. The zero address is no account.
 * @throws ApiError `Forbidden` naming the field
 */
export const checkNotBanned = (
  bannedUsers: ReadonlySet<Address>,
  { owner, receiver, partnerFees = [] }: OrderParties,
): void => {
  const parties: [field: string, account: Address | null | undefined][] = [
    ['from', owner],
    ['receiver', receiver],
    ...partnerFees.map(({ recipient }, i): [string, Address] => [`metadata.partnerFee.${i}.recipient`, recipient]),
  ]
  for (const [field, account] of parties) {
    if (!account || account === zeroAddress || !bannedUsers.has(account)) continue
    throw new ApiError('Forbidden', { description: `${field} is banned from trading here`, data: { field, account } })
  }
}
