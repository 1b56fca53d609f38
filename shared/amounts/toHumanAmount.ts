import { formatUnits } from 'viem'

const significantDigits = 6
const smallestDecimals = 12
const largestDigits = 21

/**
 * Formats an amount for people, rounded down: thousands grouped, two decimals from a thousand on, six significant digits
 * below.
 * @param amount atoms, not negative
 * @param decimals 10^decimals atoms are one whole token
 * @returns for example `4,512.30`, `1.5`, `0.000123456`, `less than 0.000000000001`, `1.15×10^40`
 */
export const toHumanAmount = (amount: bigint, decimals: number): string => {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.')
  if (whole.length > largestDigits) return `${whole[0]}.${whole.slice(1, 3)}×10^${whole.length - 1}`
  if (whole !== '0') return joinParts(BigInt(whole).toLocaleString('en-US'), trim(fraction, whole.length))
  const leadingZeros = fraction.search(/[1-9]/)
  if (leadingZeros < 0) return '0'
  if (leadingZeros >= smallestDecimals) return `less than 0.${'1'.padStart(smallestDecimals, '0')}`
  return joinParts('0', stripZeros(fraction.slice(0, leadingZeros + significantDigits)))
}

const trim = (fraction: string, wholeDigits: number): string => {
  if (wholeDigits < 4) return stripZeros(fraction.slice(0, significantDigits - wholeDigits))
  return /^0?0?$/.test(fraction.slice(0, 2)) ? '' : fraction.slice(0, 2).padEnd(2, '0')
}

const stripZeros = (fraction: string): string => fraction.replace(/0+$/, '')

const joinParts = (whole: string, fraction: string): string => (fraction === '' ? whole : `${whole}.${fraction}`)
