/** The text without `0x`. */
export const toDigits = (text: string): string => text.replace(/^0x/i, '')

/** Returns true for a text of hex digits. */
export const isHex = (digits: string): boolean => /^[0-9a-f]+$/i.test(digits)

/** Lower case, with `0x`. */
export const toId = (text: string): string => `0x${toDigits(text).toLowerCase()}`
