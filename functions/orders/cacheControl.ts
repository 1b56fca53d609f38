/** For what can still change: kept, but asked for again each time. */
export const liveCacheControl = 'no-cache'
/** For what has come to its end. */
export const terminalCacheControl = 'public, max-age=60, stale-while-revalidate=300'
/** For what is named by its own hash. */
export const immutableCacheControl = 'public, max-age=31536000, immutable'
