/** `0x9008d1…60ab41` */
export const shorten = (hex: string): string => (hex.length > 16 ? `${hex.slice(0, 8)}…${hex.slice(-6)}` : hex)
