import { type Address, zeroAddress } from 'viem'
import type { PartnerFee } from '../appData/parseAppData.ts'
import { ApiError } from '../http/errors.ts'

/** The known accounts that sign an order or are paid by it. */
export type OrderParties = {
  owner?: Address
  receiver?: Address | null
  partnerFees?: readonly Pick<PartnerFee, 'recipient'>[] | undefined
}

/**
 * Checks that no banned account trades or is paid. Targets of hooks are not checked: a hook may call any contract, and
 * the recipients are unknown before it runs. The zero address is ignored.
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
    throw new ApiError('Forbidden', { description: `${field} is banned from trading`, data: { field, account } })
  }
}
