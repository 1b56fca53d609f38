/** @returns basis points with at most two decimals and no trailing zeros, the format of `protocolFeeBps` */
export const toBpsText = (ppm: bigint): string => {
  const decimals = (ppm % 100n).toString().padStart(2, '0').replace(/0+$/, '')
  return decimals === '' ? (ppm / 100n).toString() : `${ppm / 100n}.${decimals}`
}
