/** Allows a response from a shared cache; responses to requests with credentials may be private. */
export const isSharedRead = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && !headers.has('Authorization')
