/**
 * Header with the client key of a request (`computeClientKey`), for the Workers behind the gateway. The gateway sets it
 * on every forwarded request, so it overwrites any value that a client sends.
 */
export const clientKeyHeader = 'X-Client-Key'
