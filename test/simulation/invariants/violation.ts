import type { Hex } from 'viem'

/** A broken promise of the service. */
export class Violation extends Error {
  override name = 'Violation'
  readonly invariant: string
  /** the order concerned, if there is one */
  readonly uid: Hex | undefined

  constructor(invariant: string, message: string, uid?: Hex) {
    super(`${invariant}: ${message}`)
    this.invariant = invariant
    this.uid = uid
  }
}

/** @throws Violation */
export const expectEqual = (invariant: string, what: string, actual: unknown, expected: unknown, uid?: Hex): void => {
  if (String(actual) !== String(expected))
    throw new Violation(invariant, `${what} is ${String(actual)}, expected ${String(expected)}`, uid)
}
