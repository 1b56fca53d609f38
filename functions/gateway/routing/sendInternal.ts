/** Sends a request of the same client through the gateway, with its limits and its cache. */
export type SendInternal = (request: Request) => Promise<Response>

/** Headers of a client that say nothing about the inner request. */
const outerHeader = /^(?:accept|authorization|connection|content-|cookie|if-|mcp-|origin$|transfer-encoding$)/

/** The headers of the client that an inner request of it has as well, such as its address and its API key. */
export const toInnerHeaders = (outer: Request): Headers =>
  new Headers([...outer.headers].filter(([name]) => !outerHeader.test(name)))
