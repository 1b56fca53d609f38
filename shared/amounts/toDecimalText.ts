const format = new Intl.NumberFormat('en-US', {
  useGrouping: false,
  maximumSignificantDigits: 17,
  notation: 'standard',
})

/** A finite number as a plain decimal string, never with an exponent, as exact as a double is. */
export const toDecimalText = (value: number): string => format.format(value)
