type Outcome = { status: string; reason?: string }

/** Combined result of named sources without a value: `unknown` only if all sources say so. */
export const toAbsence = (
  outcomes: readonly (readonly [source: string, Outcome])[],
): { status: 'unknown' } | { status: 'unavailable'; sources: Record<string, string> } =>
  outcomes.every(([, { status }]) => status === 'unknown')
    ? { status: 'unknown' }
    : {
        status: 'unavailable',
        sources: Object.fromEntries(outcomes.map(([source, { status, reason }]) => [source, reason ?? status])),
      }
