type SqlMutation = { start: number; end: number; replacement: string; operator: string }

/** SQL words and operators with their replacements. */
const swaps: [RegExp, string, string][] = [
  [/(?<= )<(?= )/g, '<=', 'comparison'],
  [/(?<= )<=(?= )/g, '<', 'comparison'],
  [/(?<= )>(?= )/g, '>=', 'comparison'],
  [/(?<= )>=(?= )/g, '>', 'comparison'],
  [/(?<= )=(?= )/g, '<>', 'comparison'],
  [/(?<= )<>(?= )/g, '=', 'comparison'],
  [/\bis null\b/g, 'is not null', 'condition'],
  [/\bis not null\b/g, 'is null', 'condition'],
  [/\bnot exists\b/g, 'exists', 'condition'],
  [/(?<!not )\bexists\b/g, 'not exists', 'condition'],
  [/\band\b/g, 'or', 'logic'],
  [/\bor\b/g, 'and', 'logic'],
  [/\bdesc\b/g, 'asc', 'order'],
  [/\bleft join\b/g, 'join', 'join'],
  [/\bon conflict do nothing\b/g, '', 'statement'],
  [/(?<= )\+(?= )/g, '-', 'arithmetic'],
  [/(?<= )-(?= )/g, '+', 'arithmetic'],
  [/(?<= )\*(?= )/g, '+', 'arithmetic'],
  // one comparison of two columns, with the word that joins it to the condition before
  [/\band [\w.]+ = [\w.]+(?=\s|$)/g, '', 'condition'],
]

/** Small changes in the text of one piece of an SQL template. */
export const findSqlMutations = (text: string): SqlMutation[] => {
  const swapped = swaps.flatMap(([pattern, replacement, operator]) =>
    [...text.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      replacement,
      operator,
    })),
  )
  const numbers = [...text.matchAll(/(?<![\w.$'])\d+(?![\w.'])/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    replacement: String(Number(match[0]) + 1),
    operator: 'number',
  }))
  return [...swapped, ...numbers]
}
