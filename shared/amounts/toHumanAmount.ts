import { formatUnits } from 'viem'

const significantDigits = 6
const smallestDecimals = 12
const largestDigits = 21

/** `up` for an amount that must suffice, such as one to send; `down` otherwise. */
export type Rounding = 'down' | 'up'

/**
 * Formats an amount for people: thousands grouped, two decimals from a thousand on, six significant digits below.
 * @param amount atoms, not negative
 * @param decimals 10^decimals atoms are one whole token
 * @returns for example `4,512.30`, `1.5`, `0.000123456`, `1.15×10^40`; a smaller amount is `less than 0.000000000001`,
 *   rounded up `0.000000000001`
 */
export const toHumanAmount = (atoms: bigint, decimals: number, rounding: Rounding = 'down'): string => {
  const amount = rounding === 'up' ? roundUp(atoms, decimals) : atoms
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.')
  if (whole.length > largestDigits) return `${whole[0]}.${whole.slice(1, 3)}×10^${whole.length - 1}`
  if (whole !== '0') return joinParts(BigInt(whole).toLocaleString('en-US'), trim(fraction, whole.length))
  const leadingZeros = fraction.search(/[1-9]/)
  if (leadingZeros < 0) return '0'
  if (leadingZeros >= smallestDecimals) return `less than 0.${'1'.padStart(smallestDecimals, '0')}`
  return joinParts('0', stripZeros(fraction.slice(0, leadingZeros + significantDigits)))
}

const roundUp = (atoms: bigint, decimals: number): bigint => {
  const { length } = atoms.toString()
  const shown = length - decimals < 4 ? significantDigits : length - decimals + 2
  const smallest = 10n ** BigInt(Math.max(0, decimals - smallestDecimals))
  const unit = atoms < smallest ? smallest : 10n ** BigInt(Math.max(0, length - shown))
  return ((atoms + unit - 1n) / unit) * unit
}

const trim = (fraction: string, wholeDigits: number): string => {
  if (wholeDigits < 4) return stripZeros(fraction.slice(0, significantDigits - wholeDigits))
  return /^0?0?$/.test(fraction.slice(0, 2)) ? '' : fraction.slice(0, 2).padEnd(2, '0')
}

const stripZeros = (fraction: string): string => fraction.replace(/0+$/, '')

const joinParts = (whole: string, fraction: string): string => (fraction === '' ? whole : `${whole}.${fraction}`)
