/**
 * An amount in the neutral format of inputs and links: 1234567890n with 6 decimals is `1234.56789`. Truncates and never
 * rounds up, so that no more is shown than exists.
 * @param atoms the amount
 * @param digits least significant digits, so that small amounts stay visible; Infinity: the exact amount
 */
export const toPlainText = (atoms: bigint, decimals: number, digits = 8): string => {
  const sign = atoms < 0n ? '−' : ''
  const text = (atoms < 0n ? -atoms : atoms).toString().padStart(decimals + 1, '0')
  const whole = text.slice(0, text.length - decimals)
  const fraction = text.slice(text.length - decimals)
  const wholeDigits = whole === '0' ? 0 : whole.length
  const leadingZeros = wholeDigits > 0 ? 0 : (/^0*/.exec(fraction)?.[0].length ?? 0)
  const shown = fraction.slice(0, Math.max(0, digits - wholeDigits) + leadingZeros).replace(/0+$/, '')
  return `${sign}${whole}${shown && `.${shown}`}`
}
