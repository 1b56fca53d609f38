import { minOf } from '#shared/amounts/minMax.ts'
import { mulDivFloor } from '#shared/amounts/mulDiv.ts'
import type { ParsedAppData } from '#shared/appData/parseAppData.ts'
import { computeLent } from '#shared/orders/verdict/requiredFunds.ts'
import type { ChainFacts, Executable, ExecutablePrice, PriceFacts } from '#shared/orders/verdict/verdictFacts.ts'
import type { Remainder } from './computeRemainder.ts'
import type { ReadDraft } from './readDraft.ts'

/** Smaller parts to try when solvers offer too little for what the owner can pay: one of that many. */
const divisors = [4n, 16n, 64n]

/**
 * Finds the price of the part of a partially fillable order that can be settled now: as much of the rest as balance and
 * allowance pay for, and less when the pools do not give its limit for that much. A part that the sell token does not
 * move is not settled.
 * @param findPrice of a part of the rest
 */
export const findPartPrice = async (
  { order, owner }: Pick<ReadDraft, 'order' | 'owner'>,
  rest: Remainder,
  chain: ChainFacts | string,
  appData: ParsedAppData | null,
  findPrice: (part: Remainder) => Promise<PriceFacts>,
): Promise<PriceFacts> => {
  const payable = typeof chain === 'string' ? undefined : computePayable(chain, { ...order, owner }, appData)
  const part = payable === undefined ? rest : cut(rest, payable)
  const found = await findPrice(part)
  const failing = payable === undefined ? undefined : findFailingTransfer(found.executable)
  if (!failing && !misses(order, found.executable)) return found
  const smaller = await Promise.all(
    divisors.map((divisor) => findPrice(cut(part, (part.sellAmount + part.feeAmount) / divisor))),
  )
  /** Between these parts: the price rises with the amount, and the fee weighs more the smaller a part is. */
  const findCheapest = async (): Promise<PriceFacts | undefined> => {
    const share = computeCheapestShare(found.executable, smaller[0]?.executable)
    if (share === undefined) return undefined
    const cheapest = await findPrice(cut(part, BigInt(Math.floor(Number(part.sellAmount + part.feeAmount) * share))))
    return meets(order, cheapest.executable) ? cheapest : undefined
  }
  const met = smaller.find(({ executable }) => meets(order, executable))
  if (!failing) return met ?? (await findCheapest()) ?? found
  // solvers trade as much as the limit allows: it is open whether that is little enough for the token
  if (met) return found
  const missed = smaller.find(({ executable }) => isOffer(executable))
  return missed ?? { ...found, executable: { fault: 'SettlementReverts', revert: failing.revert } }
}

/** @returns sell token atoms; undefined when a wrapper may bring any amount, or nothing is known or paid */
const computePayable = (
  { funds: { balance, allowance } }: ChainFacts,
  order: Parameters<typeof computeLent>[0],
  appData: ParsedAppData | null,
): bigint | undefined => {
  if (appData?.wrappers.length || !balance || !allowance) return undefined
  return minOf(balance + computeLent(order, appData), allowance)
}

/** The part of a rest that `payable` sell token atoms pay for, with its share of the signed fee; rounded down. */
const cut = ({ sellAmount, buyAmount, feeAmount }: Remainder, payable: bigint): Remainder => {
  const whole = sellAmount + feeAmount
  if (payable >= whole) return { sellAmount, buyAmount, feeAmount }
  const share = (amount: bigint) => mulDivFloor(amount, payable, whole)
  return { sellAmount: share(sellAmount), buyAmount: share(buyAmount), feeAmount: share(feeAmount) }
}

type Terms = Pick<ReadDraft['order'], 'sellAmount' | 'buyAmount' | 'feeAmount'>

const isOffer = (executable: Executable | undefined): executable is ExecutablePrice =>
  executable !== undefined && 'sellAmount' in executable

const meets = ({ sellAmount, buyAmount, feeAmount }: Terms, executable: Executable | undefined): boolean =>
  isOffer(executable) && executable.buyAmount * (sellAmount + feeAmount) >= buyAmount * executable.sellAmount

/**
 * The share of a part at which a bought atom costs least, where the price before the fee rises evenly with the amount:
 * the square root of the fee by that rise.
 * @returns undefined where the price does not rise, or the share is not between 0 and 1
 */
const computeCheapestShare = (whole: Executable | undefined, smaller: Executable | undefined): number | undefined => {
  if (!isOffer(whole) || !isOffer(smaller)) return undefined
  const [at, before] = [whole, smaller].map(({ sellAmount, buyAmount, networkFee }) => ({
    bought: Number(buyAmount),
    price: Number(sellAmount - networkFee) / Number(buyAmount),
  })) as [{ bought: number; price: number }, { bought: number; price: number }]
  const rise = (at.price - before.price) / (at.bought - before.bought)
  const share = Math.sqrt(Number(whole.networkFee) / rise) / at.bought
  return share > 0 && share < 1 ? share : undefined
}

/** Why the sell token cannot be moved by the amount of a price. */
const findFailingTransfer = (executable: Executable | undefined) =>
  executable && 'unknown' in executable && executable.unknown === 'transferFails' ? executable : undefined

/** An offer below the limit, or none for so much. */
const misses = (order: Terms, executable: Executable | undefined): boolean => {
  if (isOffer(executable)) return !meets(order, executable)
  return executable !== undefined && 'fault' in executable && executable.fault === 'NoLiquidity'
}
