import { toPlainText } from './toPlainText.ts'

/** An amount with all its digits in input format: `2954.120000000000000001`. */
export const formatExact = (atoms: string | bigint, decimals: number): string =>
  toPlainText(BigInt(atoms), decimals, Number.POSITIVE_INFINITY)
