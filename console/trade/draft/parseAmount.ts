import { decimal, localize } from '../../ui/numbers.ts'

/** An amount in atoms, or why a text is not one; neither for an empty text. */
export type ParsedAmount = { atoms?: bigint; fault?: string }

/** The largest token amount (uint256), atoms. */
export const maxUint256 = 2n ** 256n - 1n

/**
 * Parses a typed amount of a token: `1.5` with 6 decimals is 1500000n. Never rounds.
 * @param decimals of the token
 */
export const parseAmount = (text: string, decimals: number): ParsedAmount => {
  const typed = text.trim()
  if (typed === '') return {}
  if (typed.includes(',')) return { fault: `Use “${decimal}” for decimals and no thousands separators.` }
  const [, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?$/.exec(typed) ?? []
  if (whole === '' && fraction === '') return { fault: `Enter a number, such as ${localize('1.5')}.` }
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > decimals) return { fault: `At most ${decimals} decimals for this token.` }
  const atoms = BigInt(whole + significant.padEnd(decimals, '0'))
  if (atoms === 0n) return { fault: 'The amount must be greater than zero.' }
  if (atoms > maxUint256) return { fault: 'The amount is too large.' }
  return { atoms }
}
