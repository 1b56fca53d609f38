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
  'not presigned': ['PresignaturePending'],
}

/** Whether something changed what an order depends on, before it was filled. */
const hasChanged = ({ chain }: World, { words, uid }: Prediction): boolean =>
  (uid === undefined || chain.store.get(toFilledKey(uid)) === 0n) &&
  [...words].some(([key, word]) => chain.store.get(key) !== word)

/** Whether the service cannot be expected to accept an order. */
const isUnavailable = ({ status }: Prediction): boolean => status === 429 || status >= 500

/**
 * Fillable now, as the dry run says, is filled within five blocks while nothing changes; what is not fillable is not
 * filled, and what cannot be placed is not fillable. Bad weather delays fills, and allows a dry run to leave open what it
 * could not read; a reorganisation may change what an order depends on.
 */
export const checkTheorem = (world: World, block: Block): void => {
  const { disturbedAt } = world.weather
  world.predictions = world.predictions.filter((prediction) => !hasChanged(world, prediction))
  const isDue = ({ uid, placedAt }: Prediction) =>
    uid === undefined || block.number > Math.max(placedAt, disturbedAt) + bound
  const due = world.predictions.filter(isDue)
  if (due.length === 0) return
  world.predictions = world.predictions.filter((prediction) => !isDue(prediction))
  for (const prediction of due) {
    const { fault, fillable, isCertain, least, reasons, status, errorType, uid, placedAt, validTo } = prediction
    const isCalm = placedAt > disturbedAt
    if (!isCalm && (isUnavailable(prediction) || (fillable && !isCertain))) continue
    const filled = uid === undefined ? 0n : world.chain.store.get(toFilledKey(uid))
    const isFilled = filled > 0n
    if (fillable && !isFilled && validTo < block.timestamp) continue
    const described = `an order (${fault || 'no fault'}) with ${reasons.join(', ') || 'no reasons'}`
    if (fillable && !isCertain) throw new Violation('theorem', `${described} is neither fillable nor not`, uid)
    if (fillable && uid === undefined)
      throw new Violation('theorem', `${described} is fillable and refused: ${status} ${errorType}`)
    // what a fickle wallet refuses in one block it may allow in the next one
    if (fillable !== isFilled && !(isFilled && fault.includes('fickle')))
      throw new Violation('theorem', `${described} is ${isFilled ? '' : 'not '}filled after ${bound} blocks`, uid)
    // the best part of an order whose price falls with its size is about half of what its limit allows
    if (3n * filled < least) throw new Violation('theorem', `${described} is filled by ${filled} of ${least}`, uid)
    if (reasons.includes('unknown')) throw new Violation('theorem', `${described} has a reason without a name`, uid)
    const known = causes[fault]
    if (!fillable && known && !reasons.some((reason) => known.includes(reason)))
      throw new Violation('theorem', `${described} has no reason of its fault`, uid)
  }
}
