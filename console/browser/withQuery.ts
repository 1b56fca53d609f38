/** The same page with changed query parameters. @param changes null removes one */
export const withQuery = (
  { path, query }: { path: string; query: Record<string, string> },
  changes: Record<string, string | null>,
): string => {
  const entries = Object.entries({ ...query, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  )
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`
}
