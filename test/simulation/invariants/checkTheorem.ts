import { theoremCauses } from '../../helpers/orders/drawTheoremCase.ts'
import { toFilledKey } from '../chain/contracts/settlementCode.ts'
import type { Block } from '../chain/createChain.ts'
import type { Prediction, World } from '../world.ts'
import { Violation } from './violation.ts'

/** blocks within which a fillable order is filled while nothing changes */
const bound = 5

/** blocks in which an unsteady order has to work to be filled: the two of its dry run, and the next one */
const span = 3

/** Whether an order works in the first blocks from those of its dry run on. */
const worksFor = ({ works, block }: Prediction, blocks: number): boolean =>
  works === undefined || (block !== null && Array.from({ length: blocks }, (_, i) => block + i).every(works))

const unsteadyReasons: ReadonlySet<string> = new Set([
  'InvalidEip1271Signature',
  'HookReverts',
  'TransferSimulationFailed',
])
const isUnsteady = (reason: string): boolean => unsteadyReasons.has(reason)

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
 *
 * An unsteady order, of which a contract decides by the block, is fillable when it works in the two blocks that the dry
 * run tries, and is filled when it also works in the third one. No number of blocks would prove anything about all of
 * them. Where it fails in one of the two, it may be filled in another block. What a bought token decides by the block and
 * the amount is tried in one block, by the quote: the settlement contract holds nothing of it before.
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
    const { fault, fillable, isCertain, least, reasons, status, errorType, uid, placedAt, validTo, works, isTried } =
      prediction
    const isCalm = placedAt > disturbedAt
    if (!isCalm && (isUnavailable(prediction) || (fillable && !isCertain))) continue
    const filled = uid === undefined ? 0n : world.chain.store.get(toFilledKey(uid))
    const isFilled = filled > 0n
    if (fillable && !isFilled && validTo < block.timestamp) continue
    const described = `an order (${fault || 'no fault'}) with ${reasons.join(', ') || 'no reasons'}`
    if (fillable && !isCertain) throw new Violation('theorem', `${described} is neither fillable nor not`, uid)
    if (fillable && uid === undefined)
      throw new Violation('theorem', `${described} is fillable and refused: ${status} ${errorType}`)
    if (fillable && isTried && !worksFor(prediction, 2))
      throw new Violation('theorem', `${described} is fillable, although it fails in a block that was tried`, uid)
    if (fillable !== isFilled && (works === undefined || (fillable && worksFor(prediction, span))))
      throw new Violation('theorem', `${described} is ${isFilled ? '' : 'not '}filled after ${bound} blocks`, uid)
    if (
      works &&
      isTried &&
      fault !== 'strange token' &&
      !fillable &&
      worksFor(prediction, 2) &&
      reasons.every(isUnsteady)
    )
      throw new Violation('theorem', `${described} is not fillable, although it works in both blocks`, uid)
    // the best part of an order whose price falls with its size is about half of what its limit allows
    if (3n * filled < least && !(works && !isFilled))
      throw new Violation('theorem', `${described} is filled by ${filled} of ${least}`, uid)
    if (reasons.includes('unknown')) throw new Violation('theorem', `${described} has a reason without a name`, uid)
    const known = theoremCauses[fault]
    if (!fillable && known && !reasons.some((reason) => known.includes(reason)))
      throw new Violation('theorem', `${described} has no reason of its fault`, uid)
  }
}
