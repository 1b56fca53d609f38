import { formatShare } from '../../ui/formatShare.ts'
import type { Improvement } from '../quote/computeImprovement.ts'
import type { Offer } from '../quote/useQuote.ts'

/** The offer and its difference to the one before: `Live price, better by 0.01 %`. */
export const describeOffer = ({ improvement }: Pick<Offer, 'improvement'>): string =>
  `Live price${improvement ? `, ${describeImprovement(improvement)}` : ''}`

const describeImprovement = ({ atoms, of }: Improvement): string => {
  if (atoms === 0n) return 'unchanged'
  return atoms > 0n ? `better by ${formatShare(atoms, of)}` : `worse by ${formatShare(-atoms, of)}`
}
