/** Orders can have amounts or values beyond any bound: those are left out. */
export const ignoreOverflow = <T>(compute: () => T): T | undefined => {
  try {
    return compute()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
