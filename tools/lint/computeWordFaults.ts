/** Words that hide the subject of a sentence: name the client, caller, owner or operator. */
const bannedWords = [
  'nobody',
  'somebody',
  'everybody',
  'anybody',
  'whoever',
  'whom',
  'told',
  'is none',
  'by itself',
  'goes on',
]

const pattern = new RegExp(`\\b(?:${bannedWords.join('|')})\\b`, 'gi')

/** A tracked file; `path` is relative to the root of the repository. */
export type TextFile = { path: string; text: string }

/** @returns one line for each banned word, `path:line: "word"` */
export const computeWordFaults = ({ path, text }: TextFile): string[] =>
  text
    .split('\n')
    .flatMap((line, i) => [...line.matchAll(pattern)].map(([word]) => `${path}:${i + 1}: "${word.toLowerCase()}"`))
