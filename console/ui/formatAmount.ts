import { localize } from './numbers.ts'
import { toPlainText } from './toPlainText.ts'

/** An amount for reading: 1234567890n with 6 decimals is `1,234.56789`, truncated to significant digits. */
export const formatAmount = (atoms: bigint, decimals: number, digits = 6): string =>
  localize(toPlainText(atoms, decimals, digits))
