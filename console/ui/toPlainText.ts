import { formatAmount } from './formatAmount.ts'

/** An amount as somebody would type it: `2954.12`, cut after so many significant digits. */
export const toPlainText = (atoms: bigint, decimals: number, digits = 8): string =>
  formatAmount(atoms, decimals, digits).replaceAll(',', '')
