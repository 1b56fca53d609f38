import type { Dice } from '../hostile/createDice.ts'

/** What may be wrong with an order of the theorem "fillable now is filled within five blocks", other than its tokens, price and size. */
const faults = [
  ...['', '', '', '', '', '', ''],
  ...['no funds', 'half the funds', 'no allowance', 'half the allowance', 'rejecting wallet', 'burning wallet'],
  ...['funds by a hook', 'funds by a reverting hook', 'blocked receiver', 'wallet'],
  ...['proxy receiver', 'proxy receiver', 'refusing receiver', 'odd receiver', 'required wrapper', 'failing hook'],
  ...['not presigned', 'partner fee', 'unsteady wallet', 'funds by an unsteady hook', 'unsteady receiver'],
] as const

/** Reasons of the faults that always have one. */
export const theoremCauses: Readonly<Record<string, readonly string[]>> = {
  'no funds': ['InsufficientBalance'],
  'no allowance': ['InsufficientAllowance'],
  'rejecting wallet': ['InvalidEip1271Signature'],
  'burning wallet': ['InvalidEip1271Signature'],
  'required wrapper': ['UnsupportedBySolvers'],
  'not presigned': ['PresignaturePending'],
}

/** Terms of a random order against the wrapped native token, at the simulated chain and at a real one. */
type TheoremCase = {
  sellsToken: boolean
  fault: (typeof faults)[number]
  /** wei of the wrapped native token: from 0.0003 to 10 ether, evenly on a logarithmic scale */
  ether: bigint
  /** of what the pool pays, 1/10000 */
  limitBps: number
  kind: 'sell' | 'buy'
  partiallyFillable: boolean
  /** whether a purchase of the wrapped native token is one of ether */
  paysEther: boolean
}

export const drawTheoremCase = (dice: Dice): TheoremCase => {
  const sellsToken = dice.chance(0.5)
  const fault = dice.pick(faults)
  return {
    ...{ sellsToken, fault },
    ether: BigInt(Math.round(10 ** (dice.between(1_450, 6_000) / 1_000) * 1e13)),
    limitBps: dice.between(8_500, 10_150),
    kind: dice.pick(['sell', 'buy'] as const),
    partiallyFillable: dice.chance(0.3),
    paysEther: /^(proxy|refusing|unsteady) receiver$/.test(fault) || dice.chance(0.3),
  }
}
