/** What is not seen, or changes how what follows is read: control, format, private and unassigned characters, lone surrogates. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]|\p{Default_Ignorable_Code_Point}/gu
const spaces = /[\s\u2800]+/gu
/** Accents without end climb over the lines above. */
const heapedMarks = /(\p{M}{2})\p{M}+/gu
/** Of what others send, UTF-16 units; the rest of a megabyte is not even looked at. */
const maxRead = 512

/**
 * A name for people to read, by somebody who may say whatever he likes: letters that reverse the rest of a sentence, line
 * breaks, a novel.
 * @param maxLength characters, an ellipsis included
 * @returns undefined when there is nothing that could be shown
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
