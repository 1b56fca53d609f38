import type { Address } from 'viem'
import type { ParsedAppData } from '../../appData/parseAppData.ts'

/**
 * What a flash loan adds to the owner's balance of the sell token. A loan of another token, or to another holder, adds nothing.
 * @returns sell token atoms
 */
export const computeLent = (
  { owner, sellToken }: { owner: Address | null; sellToken: Address },
  appData: Pick<ParsedAppData, 'flashloan'> | null,
): bigint => {
  const loan = appData?.flashloan
  return loan && loan.token === sellToken && loan.receiver === owner ? loan.amount : 0n
}
