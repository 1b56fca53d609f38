/** A bound Worker. */
export type ServiceBinding = { fetch: (request: Request) => Promise<Response> }
