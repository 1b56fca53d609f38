import { toFilledKey } from '../chain/contracts/settlementCode.ts'
import type { Block } from '../chain/createChain.ts'
import type { Prediction, World } from '../world.ts'
import { Violation } from './violation.ts'

/** blocks within which a fillable order is filled while nothing changes */
const bound = 5

/** Reasons of the faults that always have one. */
const causes: Readonly<Record<string, readonly string[]>> = {
  'no funds': ['InsufficientBalance'],
  'no allowance': ['InsufficientAllowance'],
  'rejecting wallet': ['InvalidEip1271Signature'],
  'burning wallet': ['InvalidEip1271Signature'],
  'required wrapper': ['UnsupportedBySolvers'],
}

/**
 * Fillable now, as the dry run says, is filled within five blocks while nothing changes; what is not fillable is not
 * filled, and what cannot be placed is not fillable.
 */
export const checkTheorem = (world: World, block: Block): void => {
  const isDue = ({ uid, placedAt }: Prediction) => uid === undefined || block.number > placedAt + bound
  const due = world.predictions.filter(isDue)
  if (due.length === 0) return
  world.predictions = world.predictions.filter((prediction) => !isDue(prediction))
  for (const { fault, fillable, reasons, status, errorType, uid } of due) {
    const isFilled = uid !== undefined && world.chain.store.get(toFilledKey(uid)) > 0n
    const described = `an order (${fault || 'no fault'}) with ${reasons.join(', ') || 'no reasons'}`
    if (fillable && uid === undefined)
      throw new Violation('theorem', `${described} is fillable and refused: ${status} ${errorType}`)
    if (fillable !== isFilled)
      throw new Violation('theorem', `${described} is ${isFilled ? '' : 'not '}filled after ${bound} blocks`, uid)
    if (reasons.includes('unknown')) throw new Violation('theorem', `${described} has a reason without a name`, uid)
    const known = causes[fault]
    if (!fillable && known && !reasons.some((reason) => known.includes(reason)))
      throw new Violation('theorem', `${described} has no reason of its fault`, uid)
  }
}
