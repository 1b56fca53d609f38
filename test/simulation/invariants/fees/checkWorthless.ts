import { toBalanceKey } from '../../chain/contracts/tokenCode.ts'
import { network, printedTokens } from '../../market.ts'
import type { World } from '../../world.ts'
import { Violation } from '../violation.ts'

/** atoms of a printed token that rounding leaves in a settlement: a millionth of the smallest order */
const dust = 10n ** 16n

/** Solvers take no fee in a token that a trader prints: the settlement contract holds none, where no protocol fee applies. */
export const checkWorthless = ({ chain, fees }: World): void => {
  if (fees.length > 0) return
  for (const { address, symbol } of printedTokens) {
    const held = chain.store.get(toBalanceKey(address, network.settlementContract))
    if (held > dust) throw new Violation('worthless fees', `the contract holds ${held} atoms of ${symbol}`)
  }
}
