import { type Address, zeroAddress } from 'viem'
import { ApiError } from '../http/errors.ts'

/** @throws ApiError `Forbidden` when the owner or the receiver is banned; the zero address is nobody */
export const checkNotBanned = (
  bannedUsers: ReadonlySet<Address>,
  { owner, receiver }: { owner: Address; receiver: Address | null },
): void => {
  for (const account of [owner, receiver]) {
    if (account && account !== zeroAddress && bannedUsers.has(account))
      throw new ApiError('Forbidden', { data: { account } })
  }
}
