/**
 * Header by which the gateway names the client of a request (`computeClientKey`) to the Workers behind it. The gateway sets it on
 * every request that it passes on, so a value that a client sends never arrives.
 */
export const clientKeyHeader = 'X-Client-Key'
