const format = new Intl.NumberFormat('en-US', {
  useGrouping: false,
  maximumSignificantDigits: 6,
  notation: 'standard',
})

/** A price for people: six significant digits, a plain decimal string without an exponent. */
export const toPriceText = (price: number): string => format.format(price)
