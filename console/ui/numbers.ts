/**
 * Numbers in the browser's language with the digits 0 to 9; words and dates are English. Links, orders and CSV files have
 * the neutral format instead: `1234.5`.
 */
export const createNumbers = (language: string) => {
  const locale = toLocale(language)
  const numberFormat = (options?: Intl.NumberFormatOptions): Intl.NumberFormat => new Intl.NumberFormat(locale, options)
  const whole = numberFormat({ maximumFractionDigits: 0 })
  const decimal =
    numberFormat()
      .formatToParts(0.5)
      .find(({ type }) => type === 'decimal')?.value ?? '.'
  // one to one, so that a point typed instead of a comma never becomes another number
  const swap = (text: string): string =>
    decimal === ',' ? text.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ',')) : text
  return {
    numberFormat,
    decimal,
    /** `1234.5` as it is typed: `1234,5`. */
    toTyped: swap,
    /** A typed text in the neutral format, in which one that is not a number is not one either. */
    fromTyped: swap,
    /** `1234.50` for reading: `1.234,50`. Other texts as they are typed. */
    localize: (plain: string): string => {
      const [, sign = '', digits, fraction] = /^(−?)(\d+)(?:\.(\d+))?$/.exec(plain) ?? []
      if (digits === undefined) return swap(plain)
      return `${sign}${whole.format(BigInt(digits))}${fraction === undefined ? '' : decimal + fraction}`
    },
  }
}

const toLocale = (language: string): Intl.Locale => {
  try {
    return new Intl.Locale(language, { numberingSystem: 'latn' })
  } catch {
    return new Intl.Locale('en')
  }
}

export const { numberFormat, decimal, toTyped, fromTyped, localize } = createNumbers(
  typeof document === 'undefined' ? 'en' : navigator.language,
)

/** `1,234` */
export const count = numberFormat()

/** `$1,234.50` */
export const dollars = numberFormat({ style: 'currency', currency: 'USD' })
