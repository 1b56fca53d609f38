/**
 * Whether a client prefers HTML over JSON (RFC 9110 §12.5.1), as browsers do on navigation. Clients without a
 * preference get JSON.
 * @param accept the header `Accept`
 */
export const prefersHtml = (accept: string | undefined): boolean => {
  const ranges = (accept ?? '').split(',').map(readRange)
  return findQuality(ranges, 'text/html') > findQuality(ranges, 'application/json')
}

type MediaRange = { name: string; quality: number }

const readRange = (text: string): MediaRange => {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most specific range counts: exact type, then type with `*`, then `*` for both. */
const findQuality = (ranges: readonly MediaRange[], type: string): number => {
  const candidates = [type, `${type.split('/')[0]}/*`, '*/*']
  const found = candidates.flatMap((candidate) => ranges.find(({ name }) => name === candidate) ?? [])
  return found[0]?.quality ?? 0
}
