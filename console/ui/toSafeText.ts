/**
 * Characters that are invisible or change the reading of others: control, format, private and unassigned characters,
 * lone surrogates.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]|\p{Default_Ignorable_Code_Point}/gu
const spaces = /[\s\u2800]+/gu
/** Long runs of combining marks overlap the lines above. */
const heapedMarks = /(\p{M}{2})\p{M}+/gu
/** Examined UTF-16 units of an untrusted text; the rest is dropped. */
const maxRead = 512

/**
 * Makes an untrusted name safe to display: removes characters that reverse text, line breaks and excess length.
 * @param maxLength characters, an ellipsis included
 * @returns undefined when nothing displayable remains
 */
export const toSafeText = (text: string | null | undefined, maxLength: number): string | undefined => {
  const clean = (text ?? '')
    .slice(0, maxRead)
    .normalize('NFKC')
    .replace(spaces, ' ')
    .replace(unseen, '')
    .replace(heapedMarks, '$1')
    .trim()
  const characters = [...clean]
  if (characters.length > maxLength) return `${characters.slice(0, maxLength - 1).join('')}…`
  return clean === '' ? undefined : clean
}
