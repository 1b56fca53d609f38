import { formatAmount } from './formatAmount.ts'

/** An amount in input format: `2954.12`, truncated to significant digits. */
export const toPlainText = (atoms: bigint, decimals: number, digits = 8): string =>
  formatAmount(atoms, decimals, digits).replaceAll(',', '')
