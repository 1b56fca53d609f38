/** Colours and angle of a generated picture: equal for equal texts, and different for nearly all others. */
export type IdenticonColours = { from: string; to: string; angle: number }

const seedOf = (text: string): number => {
  let hash = 0x81_1c_9d_c5
  for (const character of text.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return hash >>> 0
}

/** @param text an address, in any case */
export const computeIdenticonColours = (text: string): IdenticonColours => {
  const seed = seedOf(text)
  const hue = seed % 360
  const other = (hue + 40 + ((seed >>> 9) % 140)) % 360
  // dark enough for white letters
  return { from: `hsl(${hue} 62% 44%)`, to: `hsl(${other} 66% 34%)`, angle: (seed >>> 18) % 360 }
}
