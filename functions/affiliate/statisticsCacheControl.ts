/** They are computed from all trades of a trader, or of all traders of a code, and nobody needs them to the second. */
export const statisticsCacheControl = 'public, max-age=60, stale-while-revalidate=300'
